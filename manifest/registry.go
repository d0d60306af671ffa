package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// ErrNoGuarantee is returned where only a release with a guarantee makes sense.
var ErrNoGuarantee = errors.New("manifest: the release has no guarantee")

// Enumerations of the OpenDP registry's schema.
var (
	curatorTypes = []string{"Government", "Industry", "Nonprofit"}
	productTypes = []string{"Summary statistics", "Machine learning model", "Dataset", "Synthetic data", "Interactive API", "SQL queries"}
	sectors      = []string{"Technology", "Healthcare", "Education", "Government", "Energy", "Finance"}
)

// OpenDPRegistry returns the release as a record of the OpenDP Deployments
// Registry (github.com/opendp/deployments-registry-data, schema of 2026:
// basic, dp_variant, privacy_loss, deployment_model, implementation,
// administrative), tier 3, status Draft. What the schema requires and the
// manifest does not know is filled with something valid and marked with a
// comment. A release without a guarantee is refused with [ErrNoGuarantee].
func OpenDPRegistry(m *Manifest) ([]byte, error) {
	if !m.Private {
		return nil, fmt.Errorf("%w: %s", ErrNoGuarantee, m.Guarantee)
	}
	record := mapping(
		pair("url_slug", text(slug(m))),
		pair("deployment", mapping(
			pair("basic", registryBasic(m)),
			pair("dp_variant", mapping(
				pair("variant_name", text(m.DPVariant.VariantName.String())),
				pair("data_domain", text(m.DPVariant.DataDomain.String())),
				pair("unprotected_quantities", lines(m.DPVariant.UnprotectedQuantities)))),
			pair("privacy_loss", registryLoss(m)),
			pair("deployment_model", registryModel(m)),
			pair("implementation", registryImplementation(m)),
			pair("administrative", mapping(
				pair("status", text("Draft")),
				pair("registry_authors", sequence(fillIn(curatorName(m)))),
				pair("tier", integer(3)))),
		)),
	)
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(record); err != nil {
		return nil, fmt.Errorf("manifest: the registry record cannot be written: %w", err)
	}
	return out.Bytes(), e.Close()
}

var notSlug = regexp.MustCompile(`[^a-z0-9]+`)

func slug(m *Manifest) string {
	name := m.Basic.Name.String()
	if m.Basic.Name == "" {
		name = "gazeward release " + m.ReleaseID.String()
	}
	return strings.Trim(notSlug.ReplaceAllString(strings.ToLower(name), "-"), "-")
}

func curatorName(m *Manifest) string {
	if len(m.Basic.DataCurators) == 0 {
		return NotEvaluated
	}
	return m.Basic.DataCurators[0].Name.String()
}

func registryBasic(m *Manifest) *yaml.Node {
	var curators []*yaml.Node
	for _, c := range m.Basic.DataCurators {
		curators = append(curators, registryCurator(c))
	}
	if curators == nil {
		curators = []*yaml.Node{registryCurator(Curator{})}
	}
	b := m.Basic
	return mapping(
		pair("name", fillIn(b.Name.String())),
		pair("data_curators", sequence(curators...)),
		pair("description", fillIn(b.Description.String())),
		pair("intended_use", fillIn(b.IntendedUse.String())),
		pair("data_product_type", oneOf(string(b.DataProductType), productTypes, "Summary statistics")),
		pair("data_product_region", fillIn(b.DataProductRegion.String())),
		pair("data_product_sector", oneOf(string(b.DataProductSector), sectors, "Technology")),
		pair("publication_date", quoted(date(b.PublicationDate))),
	)
}

func registryCurator(c Curator) *yaml.Node {
	return mapping(
		pair("data_curator_name", fillIn(c.Name.String())),
		pair("data_curator_type", oneOf(string(c.Type), curatorTypes, "Nonprofit")))
}

var isDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

func date(t Text) string {
	if isDate.MatchString(string(t)) {
		return string(t)
	}
	return "1900-01-01"
}

func registryLoss(m *Manifest) *yaml.Node {
	p := m.PrivacyLoss
	pairs := [][2]*yaml.Node{
		pair("privacy_unit", text(p.PrivacyUnit.String())),
		pair("privacy_unit_details", text(p.PrivacyUnitDetails.String())),
	}
	if n := m.Source.Participants; n.Known && n.Value == math.Trunc(n.Value) {
		pairs = append(pairs, pair("number_of_privacy_units", integer(int(n.Value))))
	}
	var values [][2]*yaml.Node
	for _, v := range []struct {
		name   string
		number Number
	}{{"epsilon", p.Parameters.Epsilon}, {"delta", p.Parameters.Delta}, {"rho", p.Parameters.Rho}} {
		if v.number.Known && !(v.name == "delta" && v.number.Value == 0) {
			values = append(values, pair(v.name, number(v.number.Value)))
		}
	}
	details := p.ParametersDetails.String() + ". " + p.PlainLanguage.OddsStatement.String()
	return mapping(append(pairs,
		pair("privacy_parameters", mapping(values...)),
		pair("privacy_parameters_details", text(details)))...)
}

func registryModel(m *Manifest) *yaml.Node {
	d := m.DeploymentModel
	return mapping(
		pair("model_name", text(d.ModelName.String())),
		pair("trust_assumptions", text("Raw recordings: "+m.DataSecurity.RawLocationClass.String()+"; access: "+m.DataSecurity.Access.String()+"; retention: "+m.DataSecurity.Retention.String()+".")),
		pair("actors", lines(d.Actors)),
		pair("release_type", text(d.ReleaseType.String())),
		pair("release_type_details", text("Refresh policy: "+m.Accounting.RefreshPolicy.String()+". Earlier releases of the same account: "+count(m.Accounting.PriorReleases)+".")),
		pair("data_source_type", text(d.DataSourceType.String())),
		pair("access_type", text(d.AccessType.String())),
	)
}

func count(l List[string]) string {
	if l == nil {
		return NotEvaluated
	}
	return strconv.Itoa(len(l))
}

func registryImplementation(m *Manifest) *yaml.Node {
	var mechanisms, before, useful []string
	for _, x := range m.Mechanisms {
		mechanisms = append(mechanisms, mechanismLine(x))
	}
	for _, s := range m.Preprocessing {
		before = append(before, fmt.Sprintf("%s (depends on the data: %v; paid: %v)", s.Step, s.DataDependent, s.Paid))
	}
	for _, h := range m.Hyperparameters {
		before = append(before, fmt.Sprintf("%s = %s (%v; paid: %v)", h.Name, h.Value, h.How, h.Paid))
	}
	for _, u := range m.Utility {
		useful = append(useful, fmt.Sprintf("%s: %v (evaluated on: %v)", u.Metric, u.Value, u.EvaluatedOn))
	}
	a := m.Accounting
	return mapping(
		pair("preprocessing_and_hyperparameter_tuning", lines(before)),
		pair("mechanisms", lines(mechanisms)),
		pair("composition", text(fmt.Sprintf("%v over all releases of the same people; per %v spent (%v, %v) of (%v, %v)", a.Composition, a.Unit, a.Spent.Epsilon, a.Spent.Delta, a.Budget.Epsilon, a.Budget.Delta))),
		pair("post_processing", lines(m.PostProcessing)),
		pair("justification", lines(m.Assumptions)),
		pair("utility", lines(useful)),
		pair("additional_information", text("Made with gazeward "+m.Tool.Version.String()+"; license: "+m.Basic.License.String()+"; DOI: "+m.Basic.DOI.String()+".")),
	)
}

func mechanismLine(x Mechanism) string {
	return fmt.Sprintf("%v: %v, standard deviation %v, on a grid of %v; library: %v; randomness: %v; floating point: %v; timing: %v; proof: %v",
		x.Name, x.Noise, x.Sigma, x.Granularity, x.Library, x.RNG, x.FloatingPoint, x.Timing, x.ProofRef)
}

func pair(key string, value *yaml.Node) [2]*yaml.Node { return [2]*yaml.Node{text(key), value} }

func mapping(pairs ...[2]*yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, p := range pairs {
		n.Content = append(n.Content, p[0], p[1])
	}
	return n
}

func sequence(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: items}
}

func text(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if strings.Contains(s, "\n") {
		n.Style = yaml.LiteralStyle
	}
	return n
}

func quoted(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Style: yaml.SingleQuotedStyle}
}

func integer(v int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(v)}
}

// number writes a float that YAML 1.1 readers take for a float too: they want
// a point in the mantissa.
func number(v float64) *yaml.Node {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	mantissa, exponent, scientific := strings.Cut(s, "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	if scientific {
		mantissa += "e" + exponent
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: mantissa}
}

// lines is a list as Markdown, which the registry shows.
func lines(items []string) *yaml.Node {
	switch {
	case items == nil:
		return text(NotEvaluated)
	case len(items) == 0:
		return text("none")
	}
	return text("- " + strings.Join(items, "\n- "))
}

// fillIn marks what the manifest does not know.
func fillIn(s string) *yaml.Node {
	n := text(s)
	if s == NotEvaluated {
		n.LineComment = "to be filled in: the manifest does not say"
	}
	return n
}

func oneOf(s string, choices []string, otherwise string) *yaml.Node {
	if slices.Contains(choices, s) {
		return text(s)
	}
	n := text(otherwise)
	n.LineComment = "to be confirmed: the manifest does not say"
	return n
}
