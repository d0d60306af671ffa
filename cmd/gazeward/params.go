package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
)

// mechanismFlags are the flags of one product: the union of what its
// mechanisms take, made from their Specs.
type mechanismFlags struct {
	product string
	name    string // --mechanism
	values  map[string]*string
	flags   *pflag.FlagSet
	screen  screenFlags
}

func addMechanismFlags(c *cobra.Command, product string, skip ...string) *mechanismFlags {
	m := &mechanismFlags{product: product, values: map[string]*string{}, flags: c.Flags()}
	var names []string
	for _, s := range all.Of(product) {
		names = append(names, s.Short())
		for _, f := range s.Fields {
			m.add(f, skip)
		}
	}
	c.Flags().StringVar(&m.name, "mechanism", names[0], "one of "+strings.Join(names, ", "))
	m.screen.add(c)
	return m
}

func (m *mechanismFlags) add(f mechanism.Field, skip []string) {
	for _, s := range skip {
		if s == f.Name {
			return
		}
	}
	if m.values[f.Name] != nil {
		return
	}
	doc := f.Doc
	if f.Unit != "" {
		doc += " [" + f.Unit + "]"
	}
	if len(f.Choices) > 0 {
		doc += ": " + strings.Join(f.Choices, ", ")
	}
	if f.Default != "" {
		doc += " (default " + f.Default + ")"
	}
	m.values[f.Name] = m.flags.String(f.Name, "", doc)
}

// spec finds the chosen mechanism.
func (m *mechanismFlags) spec() (mechanism.Spec, error) {
	s, err := all.ByName(m.product, strings.TrimPrefix(m.name, m.product+"/"))
	if err != nil {
		return s, &usageError{err}
	}
	return s, nil
}

// given are the parameters as typed.
func (m *mechanismFlags) given() map[string]string {
	out := map[string]string{}
	for name, v := range m.values {
		if m.flags.Changed(name) {
			out[name] = *v
		}
	}
	return out
}

// resolveLengths turns every given length into pixels.
func resolveLengths(spec mechanism.Spec, values map[string]string, screen gaze.Screen) error {
	if values["surface"] == "sphere" {
		return nil // lengths stay in degrees
	}
	for _, f := range spec.Fields {
		if f.Kind != mechanism.Length || values[f.Name] == "" {
			continue
		}
		l, err := gaze.ParseLength(values[f.Name])
		if err != nil {
			return err
		}
		px, err := l.Pixels(screen)
		if err != nil {
			return fmt.Errorf("--%s %s: %w", f.Name, values[f.Name], err)
		}
		values[f.Name] = strconv.FormatFloat(px, 'g', -1, 64) + "px"
	}
	return nil
}

// screenFlags describe the screen where the files do not.
type screenFlags struct{ px, cm, distance string }

func (s *screenFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&s.px, "screen-px", "", "size of the screen in pixels, WIDTHxHEIGHT, where the files do not say")
	c.Flags().StringVar(&s.cm, "screen-cm", "", "size of the screen in centimetres, WIDTHxHEIGHT")
	c.Flags().StringVar(&s.distance, "distance-cm", "", "viewing distance in centimetres")
}

func (s *screenFlags) parse() (gaze.Screen, error) {
	var screen gaze.Screen
	if s.px != "" {
		w, h, err := pair(s.px)
		if err != nil || w != float64(int(w)) || h != float64(int(h)) {
			return screen, usage("--screen-px: want WIDTHxHEIGHT in whole pixels, got %q", s.px)
		}
		screen.Width, screen.Height = int(w), int(h)
	}
	if s.cm != "" {
		w, h, err := pair(s.cm)
		if err != nil {
			return screen, usage("--screen-cm: want WIDTHxHEIGHT in centimetres, got %q", s.cm)
		}
		screen.WidthCm, screen.HeightCm = w, h
	}
	if s.distance != "" {
		v, err := strconv.ParseFloat(s.distance, 64)
		if err != nil || !(v > 0) {
			return screen, usage("--distance-cm: want a positive number, got %q", s.distance)
		}
		screen.DistanceCm = v
	}
	return screen, nil
}

func pair(s string) (w, h float64, err error) {
	a, b, ok := strings.Cut(strings.ToLower(s), "x")
	if !ok {
		return 0, 0, fmt.Errorf("no x")
	}
	if w, err = strconv.ParseFloat(strings.TrimSpace(a), 64); err != nil {
		return 0, 0, err
	}
	if h, err = strconv.ParseFloat(strings.TrimSpace(b), 64); err != nil {
		return 0, 0, err
	}
	if !(w > 0 && h > 0 && w < 1e6 && h < 1e6) {
		return 0, 0, fmt.Errorf("out of range")
	}
	return w, h, nil
}
