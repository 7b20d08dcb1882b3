// Rewards as data: specs, rows of traces, reports over them.

import type {
  RegimeReport,
  RewardSpec,
  RewardSpecComponent,
  RewardSpecInput,
  RewardTraceRow,
  RewardTraceRowInput,
  ZeroReason,
} from "../../generated/typescript/types.js";
import type { Json } from "./expect.js";
import { is } from "./expect.js";

// A spec as somebody writes it. A weight or clip that is left out is the component's own, and no default stands for it.

const written = {
  name: "balance",
  components: [{ type: "upright", weight: 1, clip: [0, 1] }, { type: "effort", clip: null }, { type: "speed" }],
} as const satisfies RewardSpecInput;

({ ...written, gates: [{ component: "effort", requires: "upright" }] }) satisfies RewardSpec | RewardSpecInput;
// @ts-expect-error a completed spec has its gates and its schema_version
written satisfies RewardSpec;
// @ts-expect-error a spec has a name
({ components: [] }) satisfies RewardSpecInput;
({ type: "upright", clip: [null, 1] }) satisfies RewardSpecComponent;
({ type: "upright", clip: [0, null] }) satisfies RewardSpecComponent;
// @ts-expect-error a bound is not a text
({ type: "upright", clip: ["0", 1] }) satisfies RewardSpecComponent;
// @ts-expect-error one bound is not a clip
({ type: "upright", clip: [0] }) satisfies RewardSpecComponent;
// @ts-expect-error nor are three
({ type: "upright", clip: [0, 1, 2] }) satisfies RewardSpecComponent;
// @ts-expect-error a weight is never null
({ type: "upright", weight: null }) satisfies RewardSpecComponent;
// @ts-expect-error nor a text
({ type: "upright", weight: "1" }) satisfies RewardSpecComponent;
// @ts-expect-error a misspelled member
({ type: "upright", wieght: 1 }) satisfies RewardSpecComponent;
// @ts-expect-error left out is not undefined
({ type: "upright", weight: undefined }) satisfies RewardSpecComponent;

declare const spec: RewardSpec;
is<readonly RewardSpecComponent[]>()(spec.components);
is<number | undefined>()(spec.components[0]!.weight);
is<readonly [number | null, number | null] | null | undefined>()(spec.components[0]!.clip);
spec satisfies RewardSpecInput;
spec satisfies Json;
// @ts-expect-error read-only
spec.name = "other";
// @ts-expect-error at every depth
spec.components[0]!.weight = 2;

// A row of a trace.

declare const row: RewardTraceRow;
is<number | null>()(row.reward);
is<Readonly<Record<string, number>>>()(row.reward_components);
is<ZeroReason | null>()(row.reward_detail["upright"]!.zero);
row satisfies RewardTraceRowInput;
// @ts-expect-error what is unscored is null: a reward is not left out
({ environment: 0, episode: 0, step: 0, terminated: false, truncated: false }) satisfies RewardTraceRowInput;
// @ts-expect-error no reason
"bad luck" satisfies ZeroReason;

declare const report: RegimeReport;
is<number | null>()(report.overall.mean);
is<string | null>()(report.regimes[0]!.label);
