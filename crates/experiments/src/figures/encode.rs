//! From a figure to the bytes of an SVG and of a PNG.
//!
//! The drawing library places everything on whole units, so both are drawn [`RESOLUTION`] times as large as they are
//! shown: the SVG scales itself down by its view box, and the PNG by averaging, which also smooths every edge.

use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::drawing::IntoDrawingArea;
use plotters::prelude::DrawingBackend;

use super::FigureError;
use super::canvas::{Canvas, RESOLUTION};

/// A figure with everything in its place.
pub(super) trait Sheet {
    /// Width and height, in page units.
    fn size(&self) -> (u32, u32);

    /// Draws all of it.
    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError>;
}

/// The figure as the text of an SVG.
pub(super) fn svg(page: &impl Sheet) -> Result<String, FigureError> {
    let (width, height) = page.size();
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (width * RESOLUTION, height * RESOLUTION)).into_drawing_area();
        page.draw(&Canvas::new(&area))?;
        area.present().map_err(|error| FigureError::Draw(error.to_string()))?;
    }
    let drawn = format!(r#"<svg width="{}" height="{}""#, width * RESOLUTION, height * RESOLUTION);
    Ok(text.replacen(&drawn, &format!(r#"<svg width="{width}" height="{height}""#), 1))
}

/// The figure as the bytes of a PNG.
pub(super) fn png(page: &impl Sheet) -> Result<Vec<u8>, FigureError> {
    let (width, height) = page.size();
    let large = (width * RESOLUTION, height * RESOLUTION);
    let mut pixels = vec![u8::MAX; CHANNELS * large.0 as usize * large.1 as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, large).into_drawing_area();
        page.draw(&Canvas::for_painted_glyphs(&area))?;
        area.present().map_err(|error| FigureError::Draw(error.to_string()))?;
    }
    encode(&averaged(&pixels, large.0 as usize), width, height)
        .map_err(|error| FigureError::Draw(format!("the PNG encoder failed: {error}")))
}

/// Red, green and blue, a byte each.
const CHANNELS: usize = 3;

/// The image [`RESOLUTION`] times smaller: each pixel the mean of a square of the large one's.
fn averaged(pixels: &[u8], width: usize) -> Vec<u8> {
    let side = RESOLUTION as usize;
    let row_bytes = width * CHANNELS;
    let mut small = Vec::with_capacity(pixels.len() / (side * side));
    let mut sums = vec![0u16; row_bytes / side];
    for rows in pixels.chunks_exact(row_bytes * side) {
        sums.fill(0);
        for row in rows.chunks_exact(row_bytes) {
            for (sum, square) in sums.chunks_exact_mut(CHANNELS).zip(row.chunks_exact(CHANNELS * side)) {
                for pixel in square.chunks_exact(CHANNELS) {
                    for (sum, &value) in sum.iter_mut().zip(pixel) {
                        *sum += u16::from(value);
                    }
                }
            }
        }
        let area = (side * side) as u16;
        small.extend(sums.iter().map(|sum| ((sum + area / 2) / area) as u8));
    }
    small
}

fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_is_the_mean_of_its_square() {
        let side = RESOLUTION as usize;
        // Two squares side by side: one white but for a black first row, one of a single colour.
        let mut pixels = Vec::new();
        for row in 0..side {
            pixels.extend([if row == 0 { 0 } else { 255 }; 3].repeat(side));
            pixels.extend([10, 20, 30].repeat(side));
        }
        let grey = (255.0 * (side - 1) as f64 / side as f64).round() as u8;
        assert_eq!(averaged(&pixels, 2 * side), [grey, grey, grey, 10, 20, 30]);
    }
}
