//! Where a store's world lies on a map.

use terrane_grid::{Domain, GeoReference, Place};
use terrane_stores::Location;

#[test]
fn a_location_is_the_place_that_it_was_made_of() {
    for raster_type in [1, 2] {
        let georef = GeoReference {
            pixel_scale: vec![30.0, 20.0, 0.0],
            tiepoints: vec![0.0, 0.0, 0.0, 400_000.3, 4_000_000.7, 0.0],
            key_directory: vec![1, 1, 0, 2, 1025, 0, 1, raster_type, 3072, 0, 1, 32611],
            nodata: Some("-9999".to_owned()),
            ..GeoReference::default()
        };
        let place = Place::of(&georef, (7.0, 8.0), 10.0, (1.0, 1.0)).unwrap();
        let domain = Domain::new(5, 4).with_spacing(20.0).with_origin(-133.0, 48.0);
        let location = Location::of(&place, &domain).unwrap();
        let text = serde_json::to_string(&location).unwrap();
        assert_eq!(serde_json::from_str::<Location>(&text).unwrap(), location);
        let found = location.place(&domain).unwrap();
        for at in [domain.origin, (-113.0, 108.0)] {
            assert_eq!(found.to_map(at), place.to_map(at));
        }
        assert_eq!(found.reference().epsg(), Some(32611));
        assert_eq!(found.reference().nodata, None);
    }
}
