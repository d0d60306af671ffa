// Package pico reads logs of Pico Neo 3 Pro Eye headsets that a Unity program
// wrote: a table with the unit vector of the combined gaze in the head's frame
// and the head's rotation. Positions are yaw (right) and pitch (up) of the eyes
// in the head, in degrees; the head's yaw, pitch and roll are signals.
//
// It also recognises the pose logs of the Meta Quest Pro, which have no eye
// columns, in order to say so.
package pico
