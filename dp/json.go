package dp

import "encoding/json"

// wire is the guarantee as manifests and --json print it. A void guarantee
// has null parameters, so that nobody reads a nominal ε as a promise.
type wire struct {
	Measure     string   `json:"measure"`
	Epsilon     *float64 `json:"epsilon"`
	Delta       *float64 `json:"delta"`
	Rho         *float64 `json:"rho,omitempty"`
	Mu          *float64 `json:"mu,omitempty"`
	Radius      *float64 `json:"radius,omitempty"`
	RadiusUnit  string   `json:"radius_unit,omitempty"`
	Unit        string   `json:"unit"`
	Neighbours  string   `json:"neighbours"`
	Model       string   `json:"model"`
	Unprotected []string `json:"unprotected"`
	Void        *string  `json:"void"`
	Nominal     *nominal `json:"nominal,omitempty"`
	Statement   string   `json:"statement"`
}

type nominal struct {
	Epsilon float64 `json:"epsilon"`
	Delta   float64 `json:"delta"`
}

// MarshalJSON writes the guarantee with its unit, neighbours, model and void
// reason (null when it holds).
func (g Guarantee) MarshalJSON() ([]byte, error) {
	w := wire{
		Measure: g.Measure.String(), RadiusUnit: g.RadiusUnit, Unit: g.Unit.String(),
		Neighbours: g.Neighbours.String(), Model: g.Model.String(),
		Unprotected: append([]string{}, g.Unprotected...), Statement: g.String(),
	}
	if why, void := g.Void(); void {
		w.Void = &why
		w.Nominal = &nominal{g.Epsilon, g.Delta}
		return json.Marshal(w)
	}
	switch g.Measure {
	case ZCDP:
		w.Rho = &g.Rho
	case Geo:
		w.Epsilon, w.Delta, w.Radius = &g.Epsilon, &g.Delta, &g.Radius
	default:
		w.Epsilon, w.Delta = &g.Epsilon, &g.Delta
	}
	if g.Neighbours == StartWithin {
		w.Radius = &g.Radius
	}
	if g.Mu > 0 {
		w.Mu = &g.Mu
	}
	return json.Marshal(w)
}
