//! The rule that values a child: which one a descent through the tree goes to next.
//!
//! ```text
//! ucb1   mean_i + c sqrt(ln n / s_i)
//! rave   (1 - b) mean_i + b amaf_i + c sqrt(ln n / s_i)        b = r_i / (r_i + s_i + s_i r_i / k)
//! puct   mean_i + c p_i sqrt(n) / (1 + v_i)
//! ```
//!
//! n are the playouts through the node, s_i those through the child, with what it started from (priors, inheritance), and
//! mean_i their mean reward; v_i only those made. amaf_i is the mean reward of the r_i playouts in which the same player made
//! the move later (Gelly and Silver 2011; all moves as first), and k the number of playouts at which the two kinds of
//! knowledge are worth the same. p_i is the child's share of what the priors gave.

use super::Proof;
use super::tree::{Amaf, Node};

/// Makes a proven child worth more, or less, than any that is not.
const PROVEN: f32 = 1e6;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    Ucb1 { c: f32, first: f32 },
    Rave { c: f32, first: f32, equivalence: f32 },
    Puct { c: f32, first: f32 },
}

impl Rule {
    /// Does it need to know which moves playouts made?
    pub fn uses_amaf(&self) -> bool {
        matches!(self, Rule::Rave { .. })
    }

    /// What the children are worth by what is known of them, without anything for exploring; unknown ones by their priors.
    pub fn worth(&self, children: &[Node], amaf: &[Amaf]) -> Vec<f32> {
        let mean = |child: &Node| child.rate();
        let Rule::Rave { equivalence, .. } = self else { return children.iter().map(mean).collect() };
        let mixed = |(i, child): (usize, &Node)| {
            let (r, w) = amaf.get(i).map_or((0.0, 0.0), Amaf::read);
            let s = child.weight();
            let b = r / (r + s + s * r / equivalence).max(f32::MIN_POSITIVE);
            (1.0 - b) * child.rate() + if r > 0.0 { b * w / r } else { 0.0 }
        };
        children.iter().enumerate().map(mixed).collect()
    }

    /// The child to go to. `amaf` stands beside the children, or is empty if this descent does without.
    #[inline(always)]
    pub fn choose<const SOLVES: bool>(&self, node: &Node, children: &[Node], amaf: &[Amaf]) -> usize {
        match *self {
            Rule::Rave { c, first, equivalence } if !amaf.is_empty() => {
                let log_n = if c > 0.0 { libm::logf(node.weight_below()) } else { 0.0 };
                let scale = 1.0 / equivalence;
                let mut beside = amaf.iter();
                best::<SOLVES>(children, |child| {
                    let (r, w) = beside.next().map_or((0.0, 0.0), Amaf::read);
                    let s = child.weight();
                    if s == 0.0 {
                        return if r > 0.0 { w / r } else { first };
                    }
                    // b = r / d and amaf = w / r, so b amaf = w / d and 1 - b = (d - r) / d = s (1 + r / k) / d.
                    let fades = 1.0 + r * scale;
                    (child.sum() * fades + w) / (r + s * fades) + if c > 0.0 { c * (log_n / s).sqrt() } else { 0.0 }
                })
            }
            Rule::Puct { c, first } => {
                let spread = c * (node.visits() as f32).sqrt() / node.prior_below().max(f32::MIN_POSITIVE);
                best::<SOLVES>(children, |child| {
                    let (visits, prior) = (child.visits() as f32, child.prior());
                    let mean = if visits > 0.0 { child.made() / visits } else { first };
                    mean + spread * prior / (1.0 + visits)
                })
            }
            Rule::Ucb1 { c, first } | Rule::Rave { c, first, .. } => {
                let log_n = libm::logf(node.weight_below());
                best::<SOLVES>(children, |child| {
                    let weight = child.weight();
                    if weight == 0.0 {
                        return first;
                    }
                    let inverse = 1.0 / weight;
                    child.sum() * inverse + c * (log_n * inverse).sqrt()
                })
            }
        }
    }
}

/// The first child with the greatest value; what is proven counts by its proof.
#[inline(always)]
fn best<const SOLVES: bool>(children: &[Node], mut value: impl FnMut(&Node) -> f32) -> usize {
    let (mut best, mut best_value) = (0, f32::NEG_INFINITY);
    for (i, child) in children.iter().enumerate() {
        let value = value(child);
        let value = match child.proof() {
            Some(proof) if SOLVES => PROVEN * Proof::rank(Some(proof)) as f32,
            _ => value,
        };
        if value > best_value {
            (best, best_value) = (i, value);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::tree::{Inherited, ROOT, Tree};
    use super::*;
    use crate::base::Point;

    /// Two children: visits and wins of each, and AMAF playouts and wins of each.
    fn family(made: [(u32, u32); 2], amaf: [(u32, u32); 2], prior: [Inherited; 2]) -> Tree {
        let tree = Tree::with_amaf(1);
        tree.grow_from(tree.node(ROOT), &[Point(20), Point(21)], true, prior.to_vec());
        let (first, children) = tree.children(tree.node(ROOT));
        for (i, child) in children.iter().enumerate() {
            for t in 0..made[i].0 {
                tree.node(ROOT).visit();
                child.visit();
                child.add(f32::from(t < made[i].1));
            }
            for t in 0..amaf[i].0 {
                tree.amaf(first, 2)[i].add(f32::from(t < amaf[i].1), 1.0);
            }
        }
        tree
    }

    fn chosen(rule: Rule, tree: &Tree) -> usize {
        let (first, children) = tree.children(tree.node(ROOT));
        rule.choose::<false>(tree.node(ROOT), children, tree.amaf(first, 2))
    }

    #[test]
    fn amaf_decides_while_there_are_few_playouts_and_fades_with_many() {
        let rave = Rule::Rave { c: 0.0, first: 1.0, equivalence: 100.0 };
        let none = [Inherited::default(); 2];
        let amaf = [(50, 40), (50, 10)];
        assert_eq!(chosen(rave, &family([(4, 1), (4, 3)], amaf, none)), 0);
        assert_eq!(chosen(rave, &family([(4000, 1000), (4000, 3000)], amaf, none)), 1);
        // Without it the means decide.
        let tree = family([(4, 1), (4, 3)], amaf, none);
        let (_, children) = tree.children(tree.node(ROOT));
        assert_eq!(rave.choose::<false>(tree.node(ROOT), children, &[]), 1);
    }

    #[test]
    fn the_mixed_value_is_the_formula() {
        let rule = Rule::Rave { c: 0.0, first: 1.0, equivalence: 30.0 };
        let value = |s: f32, w: f32, r: f32, a: f32| {
            let b = r / (r + s + s * r / 30.0);
            (1.0 - b) * w / s + b * a / r
        };
        for (a, b) in [((10, 6), (12, 3)), ((3, 1), (40, 30)), ((7, 7), (9, 2))] {
            let tree = family([a, (8, 4)], [b, (10, 5)], [Inherited::default(); 2]);
            let first = value(a.0 as f32, a.1 as f32, b.0 as f32, b.1 as f32);
            let second = value(8.0, 4.0, 10.0, 5.0);
            assert_eq!(chosen(rule, &tree), usize::from(second > first), "{first} {second}");
        }
    }

    #[test]
    fn puct_tries_what_the_prior_likes_and_leaves_it_when_it_loses() {
        let puct = Rule::Puct { c: 1.0, first: 0.5 };
        let prior = [Inherited { visits: 1.0, wins: 1.0 }, Inherited { visits: 9.0, wins: 9.0 }];
        assert_eq!(chosen(puct, &family([(1, 1), (0, 0)], [(0, 0); 2], prior)), 1);
        assert_eq!(chosen(puct, &family([(10, 9), (40, 0)], [(0, 0); 2], prior)), 0);
    }
}
