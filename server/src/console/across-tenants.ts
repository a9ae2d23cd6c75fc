import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import type { Bound, SignedInContext, WithIdempotency } from '#http/console-route.ts';
import { type Answered, answer } from '#http/verbs.ts';

type Verb<Input, Result> = (tx: SystemDatabase, author: Principal, input: Input) => Promise<Result>;
type Across<Given, Result> = Bound<SignedInContext & Partial<WithIdempotency>, Given, Answered<Result>>;

/**
 * Wraps an operator function as a route handler that runs it in one transaction across tenants and attributes its
 * changes to the caller.
 */
export interface AcrossTenants {
  <Result>(verb: (tx: SystemDatabase, author: Principal) => Promise<Result>): Across<unknown, Result>;
  <Given, Input, Result>(
    verb: Verb<Input, Result>,
    prepare: (given: Given, ctx: SignedInContext) => Input | Promise<Input>,
  ): Across<Given, Result>;
}

export function createAcrossTenants(system: SystemDatabase): AcrossTenants {
  return <Given, Input, Result>(
    verb: Verb<Input, Result>,
    prepare?: (given: Given, ctx: SignedInContext) => Input | Promise<Input>,
  ): Across<Given, Result> => {
    const handler = async (ctx: SignedInContext & Partial<WithIdempotency>, given: Given) => {
      // safe because the overloads require `prepare` for a verb with an input
      const input = (await prepare?.(given, ctx)) as Input;
      const result = await changeAs(system, ctx.actor, (tx) => {
        const work = () => verb(tx, ctx.principal, input);
        return ctx.runIdempotent ? ctx.runIdempotent(tx, work) : work();
      });
      return answer(ctx, result);
    };
    return Object.assign(handler, { scope: 'across tenants' as const });
  };
}
