package mechtest

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/mechanism"
)

// fields: what the command line and the studio's form show is complete, and
// defaults are of their own kind.
func fields(spec mechanism.Spec) error {
	if spec.Product() == "" || spec.Short() == "" || spec.Summary == "" || spec.Source == "" {
		return fmt.Errorf("name %q, summary %q and source %q must all be given, the name as product/mechanism", spec.Name, spec.Summary, spec.Source)
	}
	seen := map[string]bool{}
	for _, f := range spec.Fields {
		switch {
		case f.Name == "" || f.Doc == "" || seen[f.Name]:
			return fmt.Errorf("field %q has no name, no doc, or a twin", f.Name)
		case f.Kind == mechanism.Choice && len(f.Choices) < 2:
			return fmt.Errorf("field %s offers %d choices", f.Name, len(f.Choices))
		case f.Kind == mechanism.Choice && f.Default != "" && !slices.Contains(f.Choices, f.Default):
			return fmt.Errorf("field %s: default %q is no choice", f.Name, f.Default)
		}
		seen[f.Name] = true
	}
	for name := range spec.Suite.Params {
		if !seen[name] {
			return fmt.Errorf("the suite sets %q, which is no field", name)
		}
	}
	return defaults(spec)
}

// defaults may be typed: the mechanism is the same as when they are left out.
func defaults(spec mechanism.Spec) error {
	m, err := build(spec)
	if err != nil {
		return err
	}
	typed := maps.Clone(spec.Suite.Params)
	for _, f := range spec.Fields {
		if f.Default != "" && typed[f.Name] == "" {
			typed[f.Name] = f.Default
		}
	}
	same, err := buildWith(spec, typed)
	if err != nil {
		return fmt.Errorf("defaults are refused when typed: %w", err)
	}
	return equal("the guarantee with typed defaults", m.Guarantee(), same.Guarantee())
}

// badParameters: refused at construction, by an error that says where and what.
func badParameters(spec mechanism.Spec) error {
	var errs []error
	try := func(change map[string]string, missing string) {
		values := maps.Clone(spec.Suite.Params)
		maps.Copy(values, change)
		delete(values, missing)
		_, err := buildWith(spec, values)
		if err := refused(spec, err, change, missing); err != nil {
			errs = append(errs, err)
		}
	}
	if len(spec.Suite.Bad) == 0 {
		errs = append(errs, errors.New("the suite lists no bad parameters"))
	}
	for _, bad := range spec.Suite.Bad {
		try(bad, "")
	}
	for _, f := range spec.Fields {
		if f.Default == "" && !f.Optional {
			try(nil, f.Name)
		}
		if f.Kind != mechanism.Text {
			try(map[string]string{f.Name: "½ of \x00it"}, "")
		}
	}
	try(map[string]string{"no-such-parameter": "1"}, "")
	return errors.Join(errs...)
}

var room = regexp.MustCompile(`^[a-z]+(/[a-z0-9-]+)*: `)

func refused(spec mechanism.Spec, err error, change map[string]string, missing string) error {
	what := fmt.Sprintf("%v", change)
	if missing != "" {
		what = "without " + missing
	}
	var p panicked
	switch {
	case err == nil:
		return fmt.Errorf("%s is accepted", what)
	case errors.As(err, &p):
		return fmt.Errorf("%s: %w", what, err)
	case !room.MatchString(err.Error()):
		return fmt.Errorf("%s: error %q does not start with its room", what, err)
	}
	names := append(slices.Collect(maps.Keys(change)), missing)
	for _, f := range spec.Fields {
		names = append(names, f.Name)
	}
	for _, name := range names {
		if name != "" && named(err.Error(), name) {
			return nil
		}
	}
	return fmt.Errorf("%s: error %q names no parameter", what, err)
}

// named reports whether a message names the parameter, in whatever number.
func named(message, parameter string) bool {
	words := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSuffix(parameter, "s")), "-", "[- ]")
	return regexp.MustCompile(`\b` + words + `s?\b`).MatchString(message)
}

// extremes are texts that parse; what they mean is up to the mechanism.
var extremes = map[mechanism.Kind][]string{
	mechanism.Number:   {"0", "-1", "1e-320", "1e-12", "1e12", "1e308", "NaN", "-Inf"},
	mechanism.Count:    {"0", "-1", "1", "2147483648", "9223372036854775807", "9223372036854775808"},
	mechanism.Duration: {"0s", "-1s", "1ns", "2562047h47m16.854775807s"},
	mechanism.Length:   {"0px", "-1px", "1e-320px", "1e-6px", "1e9px", "1e308px", "NaNpx", "1deg", "5%"},
	mechanism.Text:     {"", " ", "\x00", strings.Repeat("x", 1<<16)},
}

// anyParameters: whatever is typed is refused, or makes a mechanism whose plan
// holds together. Nothing is drawn.
func anyParameters(spec mechanism.Spec) error {
	var errs []error
	for _, f := range spec.Fields {
		for _, v := range append(extremes[f.Kind], f.Choices...) {
			values := maps.Clone(spec.Suite.Params)
			values[f.Name] = v
			m, err := buildWith(spec, values)
			if err == nil {
				err = planOf(m, spec.Name)
			} else if !errors.As(err, new(panicked)) {
				continue // refused
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("%s = %.20q: %w", f.Name, v, err))
			}
		}
	}
	return errors.Join(errs...)
}
