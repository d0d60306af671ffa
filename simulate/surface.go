package simulate

import "math"

// point is a position: px on a plane, degrees of yaw and pitch on the sphere.
type point struct{ x, y float64 }

// surface is the geometry gaze moves on.
type surface interface {
	angle(p, q point) float64               // deg between two positions
	between(p, q point, f float64) point    // the share f of the way
	shift(p point, right, up float64) point // moved by small angles in deg
	fromScene(x, y float64) point           // from px of the scene
}

// plane is a screen with one scale for all of it.
type plane struct{ perDegree float64 }

func (s plane) angle(p, q point) float64 { return math.Hypot(p.x-q.x, p.y-q.y) / s.perDegree }

func (s plane) between(p, q point, f float64) point {
	return point{p.x + f*(q.x-p.x), p.y + f*(q.y-p.y)}
}

func (s plane) shift(p point, right, up float64) point {
	return point{p.x + right*s.perDegree, p.y - up*s.perDegree}
}

func (s plane) fromScene(x, y float64) point { return point{x, y} }

// sphere is the world around a viewer; width and height are the panorama's px.
type sphere struct{ width, height float64 }

const radian = math.Pi / 180

func (sphere) angle(p, q point) float64 {
	sy, sx := math.Sin((q.y-p.y)*radian/2), math.Sin((q.x-p.x)*radian/2)
	h := sy*sy + math.Cos(p.y*radian)*math.Cos(q.y*radian)*sx*sx
	return 2 * math.Asin(math.Sqrt(min(1, h))) / radian
}

// between follows the great circle.
func (s sphere) between(p, q point, f float64) point {
	a := s.angle(p, q) * radian
	if a < 1e-9 {
		return p
	}
	u, v := direction(p), direction(q)
	cu, cv := math.Sin((1-f)*a)/math.Sin(a), math.Sin(f*a)/math.Sin(a)
	x, y, z := cu*u[0]+cv*v[0], cu*u[1]+cv*v[1], cu*u[2]+cv*v[2]
	return point{math.Atan2(x, z) / radian, math.Atan2(y, math.Hypot(x, z)) / radian}
}

func (sphere) shift(p point, right, up float64) point {
	pitch := max(-90, min(90, p.y+up))
	return point{wrap(p.x + right/max(0.05, math.Cos(p.y*radian))), pitch}
}

func (s sphere) fromScene(x, y float64) point {
	return point{x/s.width*360 - 180, 90 - y/s.height*180}
}

func direction(p point) [3]float64 {
	siny, cosy := math.Sincos(p.x * radian)
	sinp, cosp := math.Sincos(p.y * radian)
	return [3]float64{cosp * siny, sinp, cosp * cosy}
}

// wrap brings a yaw into [−180, 180).
func wrap(yaw float64) float64 {
	if yaw >= -180 && yaw < 180 {
		return yaw
	}
	return yaw - 360*math.Floor((yaw+180)/360)
}
