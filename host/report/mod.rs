//! Report: the figures, for people and for machines.
