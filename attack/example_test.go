package attack_test

import (
	"fmt"

	"github.com/gazeward/gazeward/attack"
	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/noise"
)

// Twenty-four people, one number each: enrolled in the clear, released as they
// are under the claim of ε = 1 per person.
func ExampleIdentify() {
	var people attack.Rows
	for who := range 24 {
		people.X = append(people.X, []float64{float64(who), float64(who * who)})
		people.Person = append(people.Person, who)
	}
	a := attack.Identify{Classifier: "k-nn", Settings: attack.Settings{
		Enrol: attack.Raw, Claim: &attack.Claim{Epsilon: 1, WholePerson: true},
	}}
	a.Learner = nearest // the default of eleven neighbours is for many rows per person
	r, err := a.Run(people, people, noise.Seeded(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d found, chance %.3f, ceiling %.3f: %v\n", r.Correct, r.Trials, r.Chance, r.Ceiling, r.Verdict)
	// Output: 24 of 24 found, chance 0.042, ceiling 0.106: claim falsified
}

var nearest = classify.Standard{Learner: classify.KNN{K: 1}}
