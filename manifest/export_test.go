package manifest

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
)

// registryFields are the members that the schema knows, object by object, and
// those that it requires.
var registryFields = map[string]struct{ known, required string }{
	"":                      {"url_slug deployment", "url_slug deployment"},
	"deployment":            {"basic dp_variant privacy_loss deployment_model implementation administrative", "basic administrative"},
	"deployment.basic":      {"name data_curators description intended_use data_product_type data_product_region data_product_sector publication_date", "name data_curators description intended_use data_product_type data_product_region publication_date"},
	"deployment.dp_variant": {"variant_name data_domain unprotected_quantities", "variant_name"},
	"deployment.privacy_loss": {"privacy_unit privacy_unit_details number_of_privacy_units privacy_parameters privacy_parameters_details",
		"privacy_unit privacy_parameters"},
	"deployment.privacy_loss.privacy_parameters": {"epsilon delta rho", ""},
	"deployment.deployment_model": {"model_name model_name_details trust_assumptions actors release_type release_type_details data_source_type data_source_type_details access_type access_type_details",
		"model_name release_type data_source_type access_type"},
	"deployment.implementation": {"preprocessing_and_hyperparameter_tuning mechanisms composition post_processing justification utility additional_information",
		"preprocessing_and_hyperparameter_tuning mechanisms composition post_processing justification"},
	"deployment.administrative": {"evidence_sources status registry_authors tier", "status registry_authors tier"},
}

var registryChoices = map[string][]string{
	"deployment.basic.data_product_type":           productTypes,
	"deployment.basic.data_product_sector":         sectors,
	"deployment.dp_variant.variant_name":           {"Pure DP", "Approximate DP", "Zero-concentrated DP", "Renyi DP", "Custom"},
	"deployment.deployment_model.model_name":       {"Local", "Central", "Shuffle", "Federated", "Varies"},
	"deployment.deployment_model.release_type":     {"One release", "Many releases"},
	"deployment.deployment_model.data_source_type": {"Static", "Dynamic"},
	"deployment.deployment_model.access_type":      {"Interactive", "Non-interactive"},
	"deployment.administrative.status":             {"Draft"},
}

func checkRegistry(t *testing.T, at string, node any) {
	t.Helper()
	object, ok := node.(map[string]any)
	if !ok {
		return
	}
	fields, ok := registryFields[at]
	if !ok {
		t.Errorf("the schema has no object at %q", at)
	}
	for _, k := range strings.Fields(fields.required) {
		if _, ok := object[k]; !ok {
			t.Errorf("%s lacks %s", at, k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(object)) {
		place := strings.TrimPrefix(at+"."+k, ".")
		if !slices.Contains(strings.Fields(fields.known), k) {
			t.Errorf("the schema has no %s", place)
		}
		if choices, ok := registryChoices[place]; ok && !slices.Contains(choices, object[k].(string)) {
			t.Errorf("%s is %v, not one of %v", place, object[k], choices)
		}
		checkRegistry(t, place, object[k])
	}
}

func registry(t *testing.T, m *Manifest) map[string]any {
	t.Helper()
	data, err := OpenDPRegistry(m)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := yaml.Unmarshal(data, &tree); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	checkRegistry(t, "", tree)
	return tree
}

func dig(tree map[string]any, path string) any {
	var node any = tree
	for _, k := range strings.Split(path, ".") {
		node = node.(map[string]any)[k]
	}
	return node
}

func TestOpenDPRegistry(t *testing.T) {
	tree := registry(t, filled(t))
	for at, want := range map[string]any{
		"url_slug":                                           "free-viewing-of-12-pictures",
		"deployment.basic.name":                              "Free viewing of 12 pictures",
		"deployment.basic.publication_date":                  "2026-03-05",
		"deployment.dp_variant.variant_name":                 "Approximate DP",
		"deployment.privacy_loss.privacy_unit":               "subject",
		"deployment.privacy_loss.number_of_privacy_units":    300,
		"deployment.privacy_loss.privacy_parameters.epsilon": 1.0,
		"deployment.privacy_loss.privacy_parameters.delta":   1e-5,
		"deployment.deployment_model.model_name":             "Central",
		"deployment.administrative.tier":                     3,
	} {
		if got := dig(tree, at); got != want {
			t.Errorf("%s = %v (%T), want %v", at, got, got, want)
		}
	}
	curators := dig(tree, "deployment.basic.data_curators").([]any)
	if c := curators[0].(map[string]any); c["data_curator_name"] != "Example University" || c["data_curator_type"] != "Nonprofit" {
		t.Errorf("curators: %v", curators)
	}
	if s := dig(tree, "deployment.implementation.composition").(string); !strings.Contains(s, "(2, 2e-05) of (10, 0.01)") {
		t.Errorf("composition: %s", s)
	}
}

// TestOpenDPRegistryOfLittle: whatever is unknown, the record stays valid and
// says what has to be filled in.
func TestOpenDPRegistryOfLittle(t *testing.T) {
	for _, g := range []dp.Guarantee{
		guarantee(), {Measure: dp.Pure, Epsilon: 0.5}, {Measure: dp.ZCDP, Rho: 0.1, Neighbours: dp.AddRemove},
		{Measure: dp.Geo, Epsilon: 1, Radius: 50, RadiusUnit: "px", Unit: dp.Window, Neighbours: dp.ShiftedWithin, Model: dp.Local},
	} {
		m := Describe(mechanism.Release{Guarantee: g})
		registry(t, m)
		data, err := OpenDPRegistry(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"name: not evaluated # to be filled in", "data_curator_type: Nonprofit # to be confirmed", "publication_date: '1900-01-01'"} {
			if !strings.Contains(string(data), line) {
				t.Errorf("no line %q in\n%s", line, data)
			}
		}
	}
	nasty := filled(t)
	nasty.Basic.Name = "a: b # c\n- d\t\"'{}[]|>%@`"
	nasty.Basic.Description = "yes"
	tree := registry(t, nasty)
	if dig(tree, "deployment.basic.name") != string(nasty.Basic.Name) || dig(tree, "deployment.basic.description") != "yes" {
		t.Errorf("texts changed: %v", dig(tree, "deployment.basic"))
	}
	if _, err := OpenDPRegistry(void(t)); !errors.Is(err, ErrNoGuarantee) {
		t.Errorf("void: %v", err)
	}
}

func TestBIDS(t *testing.T) {
	data, err := BIDS(filled(t))
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Name, BIDSVersion, DatasetType string
		Authors                        []string
		GeneratedBy                    []struct{ Name, Version, Description, CodeURL string }
		SourceDatasets                 []struct{ URL, DOI, Version string }
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	if d.Name != "Free viewing of 12 pictures" || d.BIDSVersion != "1.11.0" || d.DatasetType != "derivative" || !slices.Equal(d.Authors, []string{"Example University"}) {
		t.Errorf("%+v", d)
	}
	if g := d.GeneratedBy; len(g) != 1 || g[0].Name != "gazeward" || !strings.Contains(g[0].Description, "(1, 1e-05)-DP per subject") {
		t.Errorf("GeneratedBy: %+v", g)
	}
	if s := d.SourceDatasets; len(s) != 1 || s[0].DOI != "doi:10.1167/14.1.28" {
		t.Errorf("SourceDatasets: %+v", s)
	}
	if strings.Contains(string(data), NotEvaluated) {
		t.Errorf("BIDS has no word for what is not evaluated:\n%s", data)
	}
	little, err := BIDS(Describe(mechanism.Release{Guarantee: guarantee()}))
	if err != nil || !strings.Contains(string(little), `"SourceDatasets": []`) {
		t.Errorf("%s, %v", little, err)
	}
}
