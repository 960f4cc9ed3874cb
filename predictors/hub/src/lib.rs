//! Where models lie: the model folder, downloads into it, and archives that hold one.
