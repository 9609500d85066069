//! The models: each runs in every order of its steps.

#[test]
fn copies_are_whole() {
    interleavings::copies_are_whole();
}

#[test]
fn callers_share_threads() {
    interleavings::callers_share_threads();
}

#[test]
fn pieces_have_rooms_of_their_own() {
    interleavings::pieces_have_rooms_of_their_own();
}

#[test]
fn the_first_bad_piece_is_told() {
    interleavings::the_first_bad_piece_is_told();
}
