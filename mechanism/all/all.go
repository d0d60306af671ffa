// Package all lists every mechanism. One line here adds a mechanism to the
// command line, the studio's forms, the experiments and the conformance suite.
package all

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/anonymity"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/mechanism/series"
	"github.com/gazeward/gazeward/mechanism/stream"
	"github.com/gazeward/gazeward/mechanism/synth"
	"github.com/gazeward/gazeward/mechanism/synth/population"
)

// Specs lists the mechanisms, product by product, each product's default first.
func Specs() []mechanism.Spec {
	return slices.Concat(
		heatmap.Specs(),
		series.Specs(),
		stream.Specs(),
		synth.Specs(),
		anonymity.Specs(),
		population.Specs(),
	)
}

// ByName finds product/mechanism; an empty mechanism is the product's default.
func ByName(product, short string) (mechanism.Spec, error) {
	var known []string
	for _, s := range Specs() {
		if s.Product() != product {
			continue
		}
		if short == "" || s.Short() == short {
			return s, nil
		}
		known = append(known, s.Short())
	}
	if known == nil {
		return mechanism.Spec{}, fmt.Errorf("mechanism: there is no product %q", product)
	}
	return mechanism.Spec{}, fmt.Errorf("mechanism: unknown %s mechanism %q: want one of %s", product, short, strings.Join(known, ", "))
}

// Of lists a product's mechanisms.
func Of(product string) []mechanism.Spec {
	return slices.DeleteFunc(Specs(), func(s mechanism.Spec) bool { return s.Product() != product })
}
