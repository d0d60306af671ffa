package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// BIDSVersion is the version of the Brain Imaging Data Structure that [BIDS]
// writes for: the first with eye tracking.
const BIDSVersion = "1.11.0"

type bidsDescription struct {
	Name            string       `json:"Name"`
	BIDSVersion     string       `json:"BIDSVersion"`
	DatasetType     string       `json:"DatasetType"`
	License         string       `json:"License,omitempty"`
	Authors         []string     `json:"Authors,omitempty"`
	EthicsApprovals []string     `json:"EthicsApprovals,omitempty"`
	DatasetDOI      string       `json:"DatasetDOI,omitempty"`
	Keywords        []string     `json:"Keywords"`
	GeneratedBy     []bidsMaker  `json:"GeneratedBy"`
	SourceDatasets  []bidsSource `json:"SourceDatasets"`
}

type bidsMaker struct {
	Name        string `json:"Name"`
	Version     string `json:"Version,omitempty"`
	Description string `json:"Description"`
	CodeURL     string `json:"CodeURL"`
}

type bidsSource struct {
	URL     string `json:"URL,omitempty"`
	DOI     string `json:"DOI,omitempty"`
	Version string `json:"Version,omitempty"`
}

// doi is a DOI as BIDS writes it.
func doi(t Text) string {
	if t == "" || strings.Contains(string(t), ":") {
		return string(t)
	}
	return "doi:" + string(t)
}

// BIDS returns a dataset_description.json for the release as a derivative data
// set. Fields that BIDS does not require are left out where the manifest does
// not know them.
func BIDS(m *Manifest) ([]byte, error) {
	d := bidsDescription{
		Name: string(m.Basic.Name), BIDSVersion: BIDSVersion, DatasetType: "derivative",
		License: string(m.Basic.License), DatasetDOI: doi(m.Basic.DOI),
		Keywords:       []string{"eye tracking", "differential privacy"},
		SourceDatasets: []bidsSource{},
	}
	if d.Name == "" {
		d.Name = "Eye-tracking release " + m.ReleaseID.String()
	}
	for _, c := range m.Basic.DataCurators {
		d.Authors = append(d.Authors, c.Name.String())
	}
	if m.Source.Consent != "" {
		d.EthicsApprovals = []string{string(m.Source.Consent)}
	}
	description := "guarantee: " + m.Guarantee
	for _, mech := range m.Mechanisms {
		description += "; mechanism: " + mech.Name.String()
	}
	d.GeneratedBy = []bidsMaker{{
		Name: "gazeward", Version: string(m.Tool.Version), Description: description,
		CodeURL: "https://github.com/gazeward/gazeward",
	}}
	for _, s := range m.Provenance.SourceDatasets {
		d.SourceDatasets = append(d.SourceDatasets, bidsSource{string(s.URL), doi(s.DOI), string(s.Version)})
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		return nil, fmt.Errorf("manifest: dataset_description.json cannot be written: %w", err)
	}
	return out.Bytes(), nil
}
