//! Sorting by a value. A sort is the largest thing that generic code can make the compiler copy for every board and closure: here
//! it is compiled once.

/// Puts what is worth most first; equals stay in their order.
pub fn best_first<T: Copy>(items: &mut [T], value: impl Fn(&T) -> f64) {
    let values: Vec<f64> = items.iter().map(value).collect();
    let sorted: Vec<T> = falling(&values).into_iter().map(|i| items[i]).collect();
    items.copy_from_slice(&sorted);
}

/// The places of the values, that of the largest first.
fn falling(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_first_and_equals_keep_their_order() {
        let mut items = [('a', 1.0), ('b', 3.0), ('c', 1.0), ('d', 3.0), ('e', -2.0)];
        best_first(&mut items, |&(_, value)| value);
        assert_eq!(items.map(|(name, _)| name), ['b', 'd', 'a', 'c', 'e']);
    }
}
