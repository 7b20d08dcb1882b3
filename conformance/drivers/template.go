// A driver for `reward-receipts conformance run`: it holds your implementation to the corpus.
//
//	reward-receipts conformance run -- go run template.go
//
// Fill in functions and claim their layers at layers. A function returns what becomes the answer's JSON, or a Skip that
// says why it skips the case. An error or a panic is reported as an error, which is neither right nor a refusal.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

const about = `"protocol": 1, "name": "my-implementation", "version": "0.0.1", "language": "Go"`

// Given is what a case gives. A document that is not given is nil, and so is an argument. Arguments are JSON texts as
// they are in the case, for a reader that tells 2 from 2.0.
type Given struct {
	Kind      string // contract, certificate or receipt; "" where the document has to say it
	Documents map[string][]byte
	Arguments map[string]json.RawMessage
}

// Skip is an answer that says why there is none.
type Skip string

// text. {"valid": true} or {"valid": false, "codes": ["json.duplicate"]}; codes may be left out.
func read(given Given) (any, error) { return nil, nil }

// document, Kind. The same.
func validate(given Given) (any, error) { return nil, nil }

// text. {"canonical": base64 of the canonical bytes of any JSON value}
func canonical(given Given) (any, error) { return nil, nil }

// document, Kind. {"digest": "sha256:...", "canonical": base64 of the canonical bytes of the completed document}
func digest(given Given) (any, error) { return nil, nil }

// document, Kind, keyring. {"verdict": "valid", "invalid", "signer-unknown" or "error"}
func verify(given Given) (any, error) { return nil, nil }

// contract, certificate, outcome, tier, policy_update.
// {"scalar": "1.0" or null, "certified" (synthetic), "development_only", "refusals": codes} or {"error": "value"}
func score(given Given) (any, error) { return nil, nil }

// certificate, policy_update. {"state": "current"} or {"error": "value"}
func state(given Given) (any, error) { return nil, nil }

// certificate, contract. {"unmet": codes in order}
func unmet(given Given) (any, error) { return nil, nil }

// receipt, contract, certificate. {"refusals": codes in order}
func refusals(given Given) (any, error) { return nil, nil }

// receipt, contract, certificate, keyring, at_update.
// {"verdict": "holds", "fails" or "undecided", "findings": codes, "unchecked": codes} or {"error": "value"}
func audit(given Given) (any, error) { return nil, nil }

// spec, components, steps, episode_steps. As the README says, or {"valid": false, "codes": ["spec.clip-ordered"]}
func compose(given Given) (any, error) { return nil, nil }

type layer struct {
	name       string
	operations []string
}

// What you claim: take away the mark of a layer once all its functions are filled in.
var layers = []layer{
	// {"json", []string{"read"}},
	// {"schema", []string{"validate"}},
	// {"rules", []string{"validate"}},
	// {"digest", []string{"canonical", "digest"}},
	// {"signature", []string{"verify"}},
	// {"score", []string{"score"}},
	// {"certificate", []string{"state", "unmet"}},
	// {"audit", []string{"refusals", "audit"}},
	// {"compose", []string{"compose"}},
}

var functions = map[string]func(Given) (any, error){
	"read": read, "validate": validate, "canonical": canonical, "digest": digest, "verify": verify, "score": score,
	"state": state, "unmet": unmet, "refusals": refusals, "audit": audit, "compose": compose,
}

type request struct {
	ID        string
	Operation string
	Kind      string
	Input     map[string]*[]byte
	Arguments map[string]json.RawMessage
}

func answer(line []byte) (reply map[string]any) {
	var asked request
	reply = map[string]any{}
	defer func() { reply["id"] = asked.ID }()
	defer func() {
		if problem := recover(); problem != nil {
			reply["error"] = fmt.Sprint(problem)
		}
	}()
	if err := json.Unmarshal(line, &asked); err != nil {
		reply["error"] = err.Error()
		return reply
	}
	given := Given{asked.Kind, map[string][]byte{}, asked.Arguments}
	for name, data := range asked.Input {
		if data != nil {
			given.Documents[name] = *data
		}
	}
	found, err := functions[asked.Operation](given)
	if why, skips := found.(Skip); skips {
		reply["skip"] = why
	} else if err != nil {
		reply["error"] = err.Error()
	} else {
		reply["answer"] = found
	}
	return reply
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	os.Stdout = os.Stderr // What your implementation prints is not an answer.
	say := func(message any) {
		line, err := json.Marshal(message)
		if err != nil {
			panic(err)
		}
		out.Write(append(line, '\n'))
		out.Flush() // after each line, or nobody reads it
	}
	names, operations, seen := []string{}, []string{}, map[string]bool{}
	for _, each := range layers {
		names = append(names, each.name)
		for _, operation := range each.operations {
			if !seen[operation] {
				operations, seen[operation] = append(operations, operation), true
			}
		}
	}
	claimed, _ := json.Marshal(map[string]any{"layers": names, "operations": operations})
	say(map[string]any{"hello": json.RawMessage("{" + about + ", " + string(claimed[1:]))})
	in := bufio.NewReader(os.Stdin) // not a Scanner: a request can be longer than a Scanner's lines
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			say(answer(line))
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(err)
		}
	}
}
