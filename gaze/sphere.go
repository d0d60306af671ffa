package gaze

import "math"

// Direction is a direction in space: X to the right, Y up, Z forward, as seen
// by whoever the frame belongs to. Functions that return one return a unit
// vector, or NaN where there is none.
type Direction struct{ X, Y, Z float64 }

const degree = math.Pi / 180

// DirectionOf returns the unit vector of yaw (to the right of straight ahead)
// and pitch (up) in degrees.
func DirectionOf(yaw, pitch float64) Direction {
	siny, cosy := math.Sincos(yaw * degree)
	sinp, cosp := math.Sincos(pitch * degree)
	return Direction{cosp * siny, sinp, cosp * cosy}
}

// Unit returns the direction with length 1; NaN for a vector of no length or
// with a coordinate that is no finite number.
func (d Direction) Unit() Direction {
	scale := max(math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)) // so that squares neither over- nor underflow
	if !(scale > 0) || math.IsInf(scale, 0) {
		return Direction{nan, nan, nan}
	}
	x, y, z := d.X/scale, d.Y/scale, d.Z/scale
	n := math.Sqrt(x*x + y*y + z*z)
	return Direction{x / n, y / n, z / n}
}

// Angles returns yaw, -180 to 180 degrees, and pitch, -90 to 90; the length
// does not matter. Without a direction both are NaN.
func (d Direction) Angles() (yaw, pitch float64) {
	d = d.Unit()
	return math.Atan2(d.X, d.Z) / degree, math.Atan2(d.Y, math.Hypot(d.X, d.Z)) / degree
}

// AngleTo returns the angle to another direction in degrees, 0 to 180: the
// great-circle distance. It is exact for small and for opposite angles, where
// the arc cosine of the inner product loses half the digits.
func (d Direction) AngleTo(e Direction) float64 {
	d, e = d.Unit(), e.Unit()
	cross := Direction{d.Y*e.Z - d.Z*e.Y, d.Z*e.X - d.X*e.Z, d.X*e.Y - d.Y*e.X}
	sin := math.Sqrt(cross.X*cross.X + cross.Y*cross.Y + cross.Z*cross.Z)
	return math.Atan2(sin, d.X*e.X+d.Y*e.Y+d.Z*e.Z) / degree
}

// GreatCircle returns the angle in degrees between two directions given as yaw
// and pitch in degrees.
func GreatCircle(yaw1, pitch1, yaw2, pitch2 float64) float64 {
	return DirectionOf(yaw1, pitch1).AngleTo(DirectionOf(yaw2, pitch2))
}

// Rotation is an orientation in space, kept as a unit quaternion. Make it with
// [HeadRotation] or [Quaternion]: the zero value is none, not "straight ahead".
type Rotation struct{ w, x, y, z float64 }

// HeadRotation returns the orientation of a head in degrees: turned by yaw to
// the right, then raised by pitch, then tilted by roll to its left shoulder,
// each about the head's own axes.
//
// Unity and what is built on it (SRanipal, Pico) write Euler angles that lower
// the head with positive x: yaw is their y, pitch their -x, roll their z.
func HeadRotation(yaw, pitch, roll float64) Rotation {
	sy, cy := math.Sincos(yaw / 2 * degree)
	sp, cp := math.Sincos(-pitch / 2 * degree) // about X, up is negative
	sr, cr := math.Sincos(roll / 2 * degree)
	turn, raise, tilt := Rotation{cy, 0, sy, 0}, Rotation{cp, sp, 0, 0}, Rotation{cr, 0, 0, sr}
	return turn.Then(raise).Then(tilt)
}

// Quaternion returns the rotation of a quaternion of any length, in the frame
// of [Direction] (X right, Y up, Z forward, as Unity writes it); NaN for a
// quaternion of no length.
func Quaternion(w, x, y, z float64) Rotation {
	n := math.Sqrt(w*w + x*x + y*y + z*z)
	if !(n > 0) || math.IsInf(n, 0) {
		return Rotation{nan, nan, nan, nan}
	}
	return Rotation{w / n, x / n, y / n, z / n}
}

// Then returns the rotation that turns by q and then by s about the axes that
// q has turned.
func (q Rotation) Then(s Rotation) Rotation {
	return Rotation{
		q.w*s.w - q.x*s.x - q.y*s.y - q.z*s.z,
		q.w*s.x + q.x*s.w + q.y*s.z - q.z*s.y,
		q.w*s.y - q.x*s.z + q.y*s.w + q.z*s.x,
		q.w*s.z + q.x*s.y - q.y*s.x + q.z*s.w,
	}
}

// Inverse returns the rotation that undoes q.
func (q Rotation) Inverse() Rotation { return Rotation{q.w, -q.x, -q.y, -q.z} }

// Turn returns a direction of the turned frame as seen from outside: with a
// head's rotation it makes gaze in the world of an eye's direction in the head.
func (q Rotation) Turn(d Direction) Direction {
	v := q.Then(Rotation{0, d.X, d.Y, d.Z}).Then(q.Inverse())
	return Direction{v.x, v.y, v.z}
}

// InWorldAngles composes head and eye: the yaw and pitch in the world, in
// degrees, of an eye turned by yaw and pitch in a head that is turned by head.
func InWorldAngles(head Rotation, yaw, pitch float64) (worldYaw, worldPitch float64) {
	return head.Turn(DirectionOf(yaw, pitch)).Angles()
}

// WrapDegrees brings an angle into -180 (excluded) to 180 degrees.
func WrapDegrees(angle float64) float64 {
	a := math.Mod(angle, 360)
	switch {
	case a > 180:
		return a - 360
	case a <= -180:
		return a + 360
	}
	return a
}

// ToAngles replaces a track of direction vectors, x in X, y in Y and z beside
// it, by their yaw and pitch in degrees, in place. Lost vectors and the zero
// vector, which headsets write for them, are lost. So are vectors whose length
// is not between 1/2 and 2, which no rounding explains: odd counts them.
func (t *Track) ToAngles(z []float64) (odd int) {
	for i, x := range t.X {
		d := Direction{x, t.Y[i], z[i]}
		n := math.Sqrt(d.X*d.X + d.Y*d.Y + d.Z*d.Z)
		switch {
		case n >= 0.5 && n <= 2:
			t.X[i], t.Y[i] = d.Angles()
			continue
		case n > 0:
			odd++
		}
		t.X[i], t.Y[i] = nan, nan
	}
	return odd
}

// UnityHead turns the columns of Unity's Euler angles in degrees, which lower
// the head with positive x and turn it to the right with positive y, into the
// signals head_yaw (right), head_pitch (up) and head_roll (to the left
// shoulder), -180 to 180 degrees, in place. They are what [HeadRotation] takes.
func UnityHead(x, y, z []float64) []Signal {
	for i := range x {
		x[i], y[i], z[i] = WrapDegrees(-x[i]), WrapDegrees(y[i]), WrapDegrees(z[i])
	}
	return []Signal{{"head_yaw", "deg", y}, {"head_pitch", "deg", x}, {"head_roll", "deg", z}}
}
