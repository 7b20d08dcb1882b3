// A driver for `reward-receipts conformance run`: it holds your implementation to the corpus.
//
//     reward-receipts conformance run -- java Template.java
//
// Fill in methods and claim their layers at LAYERS. A method returns the JSON text of the answer. Throw a Skip with the
// reason why a case is skipped; all else that is thrown is reported as an error, which is neither right nor a refusal.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

public final class Template {
    static final String ABOUT =
        "\"protocol\": 1, \"name\": \"my-implementation\", \"version\": \"0.0.1\", \"language\": \"Java\"";

    /**
     * What a case gives. What is not given is not in the maps; kind is null where the document has to say it. Arguments
     * are JSON texts as they are in the case, for a reader that tells 2 from 2.0.
     */
    record Given(String kind, Map<String, byte[]> documents, Map<String, String> arguments) {}

    static final class Skip extends RuntimeException {
        Skip(String why) {
            super(why);
        }
    }

    interface Operation {
        String answer(Given given) throws Exception;
    }

    // text. {"valid": true} or {"valid": false, "codes": ["json.duplicate"]}; codes may be left out.
    static String read(Given given) { return null; }

    // document, kind. The same.
    static String validate(Given given) { return null; }

    // text. {"canonical": base64 of the canonical bytes of any JSON value}
    static String canonical(Given given) { return null; }

    // document, kind. {"digest": "sha256:...", "canonical": base64 of the canonical bytes of the completed document}
    static String digest(Given given) { return null; }

    // document, kind, keyring. {"verdict": "valid", "invalid", "signer-unknown" or "error"}
    static String verify(Given given) { return null; }

    // contract, certificate, outcome, tier, policy_update.
    // {"scalar": "1.0" or null, "certified" (synthetic), "development_only", "refusals": codes} or {"error": "value"}
    static String score(Given given) { return null; }

    // certificate, policy_update. {"state": "current"} or {"error": "value"}
    static String state(Given given) { return null; }

    // certificate, contract. {"unmet": codes in order}
    static String unmet(Given given) { return null; }

    // receipt, contract, certificate. {"refusals": codes in order}
    static String refusals(Given given) { return null; }

    // receipt, contract, certificate, keyring, at_update.
    // {"verdict": "holds", "fails" or "undecided", "findings": codes, "unchecked": codes} or {"error": "value"}
    static String audit(Given given) { return null; }

    // spec, components, steps, episode_steps. As the README says, or {"valid": false, "codes": ["spec.clip-ordered"]}
    static String compose(Given given) { return null; }

    static final Map<String, Operation> OPERATIONS = Map.ofEntries(
        Map.entry("read", Template::read), Map.entry("validate", Template::validate),
        Map.entry("canonical", Template::canonical), Map.entry("digest", Template::digest),
        Map.entry("verify", Template::verify), Map.entry("score", Template::score),
        Map.entry("state", Template::state), Map.entry("unmet", Template::unmet),
        Map.entry("refusals", Template::refusals), Map.entry("audit", Template::audit),
        Map.entry("compose", Template::compose));

    static final Map<String, List<String>> LAYERS = new LinkedHashMap<>();

    // What you claim: take away the mark of a layer once all its methods are filled in.
    static {
        // LAYERS.put("json", List.of("read"));
        // LAYERS.put("schema", List.of("validate"));
        // LAYERS.put("rules", List.of("validate"));
        // LAYERS.put("digest", List.of("canonical", "digest"));
        // LAYERS.put("signature", List.of("verify"));
        // LAYERS.put("score", List.of("score"));
        // LAYERS.put("certificate", List.of("state", "unmet"));
        // LAYERS.put("audit", List.of("refusals", "audit"));
        // LAYERS.put("compose", List.of("compose"));
    }

    // What the runner writes is one object of ASCII JSON a line, without white space, so this is enough to take it apart.

    /** The members of an object: each name, and its value as it is in the text. */
    static Map<String, String> members(String object) {
        Map<String, String> found = new LinkedHashMap<>();
        for (int at = 1; at + 1 < object.length(); ) {
            int colon = end(object, at);
            int end = end(object, colon + 1);
            found.put(unquoted(object.substring(at, colon)), object.substring(colon + 1, end));
            at = end + 1;
        }
        return found;
    }

    /** Where the value that starts at an offset ends. */
    static int end(String text, int start) {
        int depth = 0;
        boolean inside = false;
        for (int at = start; at < text.length(); at++) {
            char c = text.charAt(at);
            if (inside && c == '\\') at++;
            else if (c == '"') inside = !inside;
            else if (!inside && depth == 0 && ",:]}".indexOf(c) >= 0) return at;
            else if (!inside && "[{".indexOf(c) >= 0) depth++;
            else if (!inside && "]}".indexOf(c) >= 0) depth--;
        }
        return text.length();
    }

    static String unquoted(String value) {
        return value.startsWith("\"") ? value.substring(1, value.length() - 1) : null;
    }

    static String quoted(String text) {
        StringBuilder written = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') written.append('\\').append(c);
            else if (c >= ' ' && c <= '~') written.append(c);
            else written.append(String.format("\\u%04x", (int) c));
        }
        return written.append('"').toString();
    }

    static String quoted(Iterable<String> names) {
        StringBuilder written = new StringBuilder();
        for (String name : names) written.append(written.isEmpty() ? "" : ", ").append(quoted(name));
        return "[" + written + "]";
    }

    static String reply(String line) {
        Map<String, String> asked = members(line);
        String id = asked.get("id");
        try {
            Map<String, byte[]> documents = members(asked.get("input")).entrySet().stream()
                .filter(each -> unquoted(each.getValue()) != null)
                .collect(Collectors.toMap(Map.Entry::getKey, each -> Base64.getDecoder().decode(unquoted(each.getValue()))));
            Given given = new Given(unquoted(asked.get("kind")), documents, members(asked.get("arguments")));
            String answer = OPERATIONS.get(unquoted(asked.get("operation"))).answer(given);
            return "{\"id\": " + id + ", \"answer\": " + answer + "}";
        } catch (Skip skip) {
            return "{\"id\": " + id + ", \"skip\": " + quoted(skip.getMessage()) + "}";
        } catch (Throwable problem) {
            return "{\"id\": " + id + ", \"error\": " + quoted(problem.toString()) + "}";
        }
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        System.setOut(System.err); // What your implementation prints is not an answer.
        Set<String> operations = new LinkedHashSet<>();
        LAYERS.values().forEach(operations::addAll);
        String claimed = ", \"layers\": " + quoted(LAYERS.keySet()) + ", \"operations\": " + quoted(operations);
        out.print("{\"hello\": {" + ABOUT + claimed + "}}\n");
        out.flush();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null; ) {
            out.print(reply(line) + "\n");
            out.flush(); // after each line, or nobody reads it
        }
    }
}
