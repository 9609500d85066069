//! SVG to PNG.

use std::sync::Arc;

use resvg::usvg::fontdb::Database;
use resvg::{tiny_skia, usvg};

/// Pixels for each unit of the drawing.
const SCALE: f32 = 2.0;

/// Families to write with, the first that is there; otherwise any.
const FAMILIES: [&str; 6] =
    ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica", "Segoe UI"];

/// Draws an SVG with the fonts of this machine, or says why not.
pub fn of_svg(svg: &str) -> Result<Vec<u8>, String> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let family =
        |face: &usvg::fontdb::FaceInfo| face.families.first().map(|(name, _)| name.clone());
    let families: Vec<String> = fonts.faces().filter_map(family).collect();
    let family = FAMILIES
        .into_iter()
        .find(|wanted| families.iter().any(|name| name == wanted))
        .map(String::from)
        .or_else(|| families.first().cloned())
        .ok_or(
            "this machine has no font to draw with: install one (Debian: fonts-dejavu-core), or write \
             .svg",
        )?;
    fonts.set_sans_serif_family(family);
    let options = usvg::Options { fontdb: Arc::new(fonts), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size();
    let (width, height) = ((size.width() * SCALE) as u32, (size.height() * SCALE) as u32);
    let mut pixels = tiny_skia::Pixmap::new(width, height)
        .ok_or_else(|| format!("no memory for {width} × {height} pixels"))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
