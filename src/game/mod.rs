pub mod go;
