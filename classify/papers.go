package classify

import (
	"fmt"
	"strings"
)

// Named is a learner with the name that tables give it.
type Named struct {
	Name    string
	Learner Learner
}

// Papers lists the learners with the settings of Bozkir et al. 2021: k-nn, svm,
// tree, forest, in the order of its tables.
func Papers() []Named {
	return []Named{
		{"k-nn", Standard{KNN{}}},
		{"svm", Standard{SVM{}}},
		{"tree", Standard{Tree{}}},
		{"forest", Standard{Forest{}}},
	}
}

// All lists the papers' learners and those of the attacks: rbf and embedding.
func All() []Named {
	return append(Papers(), Named{"rbf", Standard{RBF{}}}, Named{"embedding", Standard{Embedding{}}})
}

// ByName finds a learner of All.
func ByName(name string) (Learner, error) {
	var known []string
	for _, n := range All() {
		if n.Name == name {
			return n.Learner, nil
		}
		known = append(known, n.Name)
	}
	return nil, fmt.Errorf("classify: unknown classifier %q: want one of %s", name, strings.Join(known, ", "))
}
