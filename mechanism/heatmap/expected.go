package heatmap

import "github.com/gazeward/gazeward/mechanism"

func (h *halfBlur) expected() *mechanism.Expected { return nil }
func (a *additive) expected() *mechanism.Expected { return nil }
