/** Whether two types are the same: not only assignable to each other, and neither of them `any`. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** `is<Expected>()(value)` compiles where the value has exactly the expected type at that place. */
export declare function is<Expected>(): <const Actual>(
  value: Actual,
  ...difference: Same<Actual, Expected> extends true ? [] : [{ readonly due: Expected }]
) => void;

/** Plain JSON that nobody changes. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
