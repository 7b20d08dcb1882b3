// What a consumer of the built package writes about rewards; a test compiles it against the archive.

import {
  type CodeOf,
  CompositionEngine,
  CompositionError,
  ceiling,
  completeRewardSpec,
  type RawValues,
  type ResolvedTerm,
  type RewardComponents,
  type RewardSpec,
  type RewardSpecInput,
  readRewardSpec,
  resolve,
} from "reward-receipts";
import { is } from "../expect.js";

const result = readRewardSpec("{}");
// @ts-expect-error nobody asked whether it was refused
result.spec;
if (result.ok) is<RewardSpec>()(result.spec);
else is<number | null>()(result.findings[0]!.line);
is<typeof result>()(completeRewardSpec({}));

const written = { name: "balance", components: [{ type: "upright" }] } satisfies RewardSpecInput;
const components = {
  upright: { clip: [0, 1], cadence: "episode_end", defaultWeight: undefined },
  effort: {},
} satisfies RewardComponents;

// @ts-expect-error no cadence
({ upright: { cadence: "often" } }) satisfies RewardComponents;
// @ts-expect-error one bound is not a clip
({ upright: { clip: [0] } }) satisfies RewardComponents;
// @ts-expect-error there is no default reward
new CompositionEngine(undefined, components);
// @ts-expect-error nor are there components by default
new CompositionEngine(written);
// @ts-expect-error a contract's version is not one of a spec
resolve({ ...written, schema_version: "openadapt.reward-contract/v1" }, components);

const engine = new CompositionEngine(written, components);
is<readonly ResolvedTerm[]>()(engine.resolved.terms);
is<readonly [number | null, number | null] | null>()(engine.resolved.terms[0]!.clip);
is<number | null>()(ceiling(engine.resolved).perEpisode(200));
is<number | null>()(ceiling(engine.resolved).perStep);
// @ts-expect-error what is unbounded is null, and no number
ceiling(engine.resolved).perStep satisfies number;

({ upright: 0.9, effort: () => 1n }) satisfies RawValues;
// @ts-expect-error a text is not a number
({ upright: "0.9" }) satisfies RawValues;
// @ts-expect-error a step does not wait
({ upright: async () => 0.9 }) satisfies RawValues;
// @ts-expect-error a misspelled flag
engine.computeStep({}, { truncate: true });
const step = engine.computeStep({ upright: 0.9 }, { terminated: true, step: 3 });
is<number>()(step.total);
is<number | undefined>()(step.contributions["upright"]);
// @ts-expect-error read-only
step.contributions["upright"] = 1;

try {
  engine.reset();
} catch (error) {
  if (error instanceof CompositionError) is<CodeOf<"compose">>()(error.code);
}
