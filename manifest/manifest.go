package manifest

// Version is the version of the schema that this package writes and reads.
const Version = "1"

// FileName is the manifest's name in the folder of a release.
const FileName = "manifest.json"

// Manifest is the label of one release. Texts, numbers and lists that are left
// at their zero value are written as [NotEvaluated].
type Manifest struct {
	ManifestVersion string               `json:"manifest_version"`
	ReleaseID       Text                 `json:"release_id"`
	Created         Text                 `json:"created"` // a date in UTC, never a time
	Private         bool                 `json:"private"` // false: Guarantee says why there is none
	Guarantee       string               `json:"guarantee"`
	Tool            Tool                 `json:"tool"`
	ConfigSHA256    Text                 `json:"config_sha256"` // of the public parameters alone; see [ConfigHash]
	Outputs         List[Output]         `json:"outputs"`
	Excluded        List[string]         `json:"excluded"` // folders beside the outputs that do not belong to the release and are not checked
	Basic           Basic                `json:"basic"`
	Source          Source               `json:"source"`
	DPVariant       DPVariant            `json:"dp_variant"`
	PrivacyLoss     PrivacyLoss          `json:"privacy_loss"`
	DeploymentModel DeploymentModel      `json:"deployment_model"`
	Accounting      Accounting           `json:"accounting"`
	Sensitivity     List[Sensitivity]    `json:"sensitivity"`
	Mechanisms      List[Mechanism]      `json:"mechanisms"`
	Preprocessing   List[Step]           `json:"preprocessing"`
	Hyperparameters List[Hyperparameter] `json:"hyperparameters"`
	PostProcessing  List[string]         `json:"post_processing"`
	Utility         List[Utility]        `json:"utility"`
	Risk            List[Risk]           `json:"risk"`
	BiasNotes       Text                 `json:"bias_notes"`
	KnownLimits     List[string]         `json:"known_limits"`
	Assumptions     List[string]         `json:"assumptions"`
	Warnings        List[string]         `json:"warnings"`
	DataSecurity    DataSecurity         `json:"data_security"`
	Invariants      List[string]         `json:"invariants_released"`
	Identifiers     List[string]         `json:"identifiers_removed"`
	Suppression     Text                 `json:"suppression"` // smallest group shown, and what was left out for it
	Provenance      Provenance           `json:"provenance"`
	Reproduce       Reproduce            `json:"reproduce"`
	Signature       Signature            `json:"signature"`
}

// Tool is the program that made the release.
type Tool struct {
	Name      Text `json:"name"`
	Version   Text `json:"version"`
	Commit    Text `json:"commit"`
	Go        Text `json:"go"`
	BuildHash Text `json:"build_hash"`
}

// Output is one file of the release. [Manifest.Write] fills all but Schema.
type Output struct {
	Path      string `json:"path"` // relative, with slashes
	SHA256    string `json:"sha256"`
	Bytes     int64  `json:"bytes"`
	MediaType string `json:"media_type"`
	Schema    Text   `json:"schema"` // what its columns or values are, with units
}

// Basic is tier 1 of the OpenDP registry.
type Basic struct {
	Name              Text          `json:"name"`
	Description       Text          `json:"description"`
	IntendedUse       Text          `json:"intended_use"`
	NotIntendedUse    Text          `json:"not_intended_use"`
	DataCurators      List[Curator] `json:"data_curators"`
	DataProductType   Text          `json:"data_product_type"` // Summary statistics, Synthetic data, Dataset, Interactive API
	DataProductRegion Text          `json:"data_product_region"`
	DataProductSector Text          `json:"data_product_sector"` // Technology, Healthcare, Education, Government, Energy, Finance
	PublicationDate   Text          `json:"publication_date"`
	License           Text          `json:"license"`
	DOI               Text          `json:"doi"`
	Contact           Text          `json:"contact"`
}

// Curator is who publishes the release.
type Curator struct {
	Name Text `json:"name"`
	Type Text `json:"type"` // Government, Industry or Nonprofit, as in the OpenDP registry
}

// Source describes the recordings, in public words.
type Source struct {
	Participants Number       `json:"n_participants"` // only where n is public; else [NotDisclosed]
	Task         Text         `json:"task"`
	Device       Text         `json:"device"`
	SamplingRate Text         `json:"sampling_rate"`
	Coordinates  Text         `json:"coord_system"`
	Screen       Text         `json:"screen"`
	Importers    List[string] `json:"importers"`
	Commitment   Text         `json:"source_hash_commitment"` // keyed; never a bare hash of input
	Consent      Text         `json:"consent_basis"`
}

// Dataset is a public data set that the release was made from.
type Dataset struct {
	Name    Text `json:"name"`
	URL     Text `json:"url"`
	DOI     Text `json:"doi"`
	Version Text `json:"version"`
}

// DPVariant has the names of the OpenDP registry.
type DPVariant struct {
	VariantName           Text         `json:"variant_name"`
	DataDomain            Text         `json:"data_domain"`
	UnprotectedQuantities List[string] `json:"unprotected_quantities"`
}

// PrivacyLoss is the guarantee: of what, against what, how much.
type PrivacyLoss struct {
	PrivacyUnit        Text              `json:"privacy_unit"`
	PrivacyUnitDetails Text              `json:"privacy_unit_details"`
	Adjacency          Text              `json:"adjacency"`
	Parameters         PrivacyParameters `json:"privacy_parameters"`
	Nominal            Text              `json:"nominal"` // of a void guarantee: what was typed
	ParametersDetails  Text              `json:"privacy_parameters_details"`
	Groups             List[Group]       `json:"group_privacy"`
	Composed           List[Composed]    `json:"composed,omitempty"` // what it amounts to for other units
	PlainLanguage      PlainLanguage     `json:"plain_language"`
}

// PrivacyParameters of a void guarantee are all without value.
type PrivacyParameters struct {
	Epsilon Number `json:"epsilon"`
	Delta   Number `json:"delta"`
	Rho     Number `json:"rho"`
	Mu      Number `json:"mu"` // Δ₂/σ where the release is one Gaussian
	Radius  Number `json:"radius"`
}

// Group is the guarantee for several units together, for example the sessions
// of one person.
type Group struct {
	Units   int    `json:"units"`
	Terms   string `json:"terms"`
	Epsilon Number `json:"epsilon"`
	Delta   Number `json:"delta"`
	Rho     Number `json:"rho"`
}

// Composed is what the guarantee amounts to for another unit than its own: a
// whole recording, a person, some seconds of gaze.
type Composed struct {
	Unit    string `json:"unit"`
	Terms   string `json:"terms"` // or "none (why)"
	Epsilon Number `json:"epsilon"`
	Delta   Number `json:"delta"`
}

// PlainLanguage is the guarantee in words.
type PlainLanguage struct {
	OddsStatement  Text         `json:"odds_statement"`
	DoesNotProtect List[string] `json:"does_not_protect"`
}

// DeploymentModel says who sees what.
type DeploymentModel struct {
	ModelName      Text         `json:"model_name"`
	Actors         List[string] `json:"actors"`
	ReleaseType    Text         `json:"release_type"`     // One release, Many releases
	DataSourceType Text         `json:"data_source_type"` // Static, Dynamic
	AccessType     Text         `json:"access_type"`      // Non-interactive, Interactive
}

// Accounting is what was spent on the same people, this release included.
type Accounting struct {
	Composition   Text         `json:"composition"` // the theorem that adds the spends up
	Unit          Text         `json:"unit"`
	Ledger        List[Spend]  `json:"ledger"`
	Budget        Amount       `json:"budget_total"`
	Spent         Amount       `json:"budget_spent"`
	Remaining     Amount       `json:"budget_remaining"`
	LedgerHead    Text         `json:"ledger_head"` // hash of the last entry
	PriorReleases List[string] `json:"prior_releases"`
	RefreshPolicy Text         `json:"refresh_policy"`
}

// Amount is an amount of privacy budget.
type Amount struct {
	Epsilon Number `json:"epsilon"`
	Delta   Number `json:"delta"`
}

// Spend is one entry of the ledger.
type Spend struct {
	ID         string `json:"id"`
	Query      Text   `json:"query"`
	Measure    Text   `json:"measure"`
	Epsilon    Number `json:"epsilon"`
	Delta      Number `json:"delta"`
	Rho        Number `json:"rho"`
	Unit       Text   `json:"unit"`
	TimeBucket Text   `json:"time_bucket"` // a date
	Hash       Text   `json:"hash"`        // of the ledger's entry
}

// Sensitivity is how far one unit moves the released numbers.
type Sensitivity struct {
	Query        Text       `json:"query"`
	L1           Number     `json:"l1"`
	L2           Number     `json:"l2"`
	Bounds       Parameters `json:"contribution_bounds"`
	BoundsSource Text       `json:"bounds_source"` // fixed, public data, or paid with differential privacy
	ClippingRate Text       `json:"clipping_rate"` // only under differential privacy; else [NotDisclosed]
}

// Mechanism is one mechanism with its noise.
type Mechanism struct {
	Name          Text       `json:"name"`
	Calibration   Text       `json:"calibration"`
	Noise         Text       `json:"noise_distribution"`
	Scale         Number     `json:"scale"`
	Sigma         Number     `json:"standard_deviation"`
	Granularity   Number     `json:"granularity"` // released numbers are multiples of it
	Parameters    Parameters `json:"parameters"`  // public
	Library       Text       `json:"library"`
	RNG           Text       `json:"rng"`
	Seeded        bool       `json:"seeded"`
	FloatingPoint Text       `json:"floating_point_mitigation"`
	Timing        Text       `json:"timing_mitigation"`
	Reference     Text       `json:"reference"`
	ProofRef      Text       `json:"proof_ref"`
	Audit         Audit      `json:"empirical_audit"`
}

// Audit is a measured lower bound on ε.
type Audit struct {
	EpsilonLower Number `json:"eps_lower"`
	Confidence   Number `json:"confidence"`
	Trials       Number `json:"trials"`
}

// Step is something done to the data before the mechanism.
type Step struct {
	Step          string     `json:"step"`
	Parameters    Parameters `json:"params"`
	DataDependent bool       `json:"data_dependent"`
	Paid          Text       `json:"paid"` // yes, no, [NotApplicable] where it does not depend on the data
}

// Hyperparameter is a choice and what it was based on.
type Hyperparameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	How   Text   `json:"how"`  // fixed, public data, private data
	Paid  Text   `json:"paid"` // yes, no, [NotApplicable]
}

// Utility is a measured or expected quality.
type Utility struct {
	Metric      string `json:"metric"`
	Value       Number `json:"value"`
	CI          Text   `json:"ci"`
	EvaluatedOn Text   `json:"evaluated_on"` // simulated, public or private data
	Paid        Text   `json:"paid"`
	InWords     Text   `json:"in_words"`
}

// Risk is a measured attack.
type Risk struct {
	Attack  string `json:"attack"`
	Dataset Text   `json:"dataset"`
	Metric  Text   `json:"metric"`
	Value   Number `json:"value"`
	Chance  Number `json:"chance"`
	CI      Text   `json:"ci"`
}

// DataSecurity is where the raw recordings are and who reads them.
type DataSecurity struct {
	RawLocationClass Text `json:"raw_location_class"`
	Retention        Text `json:"retention"`
	Access           Text `json:"access"`
}

// Provenance says how the release came about, without paths.
type Provenance struct {
	GeneratedBy    Text          `json:"generated_by"`
	SourceDatasets List[Dataset] `json:"source_datasets"`
	CommandLine    Text          `json:"command_line"` // see [CommandLine]
	Config         Parameters    `json:"config"`
}

// Reproduce says what can be repeated.
type Reproduce struct {
	CanRerun  bool `json:"can_rerun"`
	Why       Text `json:"why"`
	VerifyCmd Text `json:"verify_cmd"`
}

// Statements of a [Signature].
const (
	StatementPrivate    = "private"
	StatementNotPrivate = "not private"
)

// Signature is filled by [Manifest.Write]. All fields but Signature itself
// follow from the rest of the manifest and the key.
type Signature struct {
	Signed           bool   `json:"signed"`
	Statement        string `json:"statement"`
	Reason           Text   `json:"reason"` // why it is not signed
	Algorithm        Text   `json:"algorithm"`
	Canonicalization Text   `json:"canonicalization"`
	ContentSHA256    string `json:"content_sha256"` // of the canonical JSON without this object
	KeyID            Text   `json:"key_id"`         // fingerprint of PublicKey
	PublicKey        Text   `json:"public_key"`     // PEM; proves nothing by itself
	Signature        Text   `json:"signature"`      // base64
}
