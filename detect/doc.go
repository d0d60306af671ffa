// Package detect finds fixations, saccades and blinks in samples: by velocity
// ([IVT]) or dispersion ([IDT]; both Salvucci and Goldberg 2000), and by losses
// ([Blinks]).
//
// Velocities are in degrees of visual angle, so positions in pixels need the
// screen's geometry or an explicit scale; without either the answer is
// [gaze.ErrNoGeometry], not a guess. On a screen of known geometry angles are
// those between the lines of sight; positions in the world or in the head are
// yaw and pitch, and distances are great circles.
//
// Everything works on pieces of recordings ([Stream], [Annotate]) in memory that
// does not grow with the number of samples. Of several eyes the one that
// [gaze.Recording.Best] names is used.
package detect
