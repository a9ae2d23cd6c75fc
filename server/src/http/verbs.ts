import type { LogTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import type { Bound, OutsideReason, RequestContext, SignedInContext } from './console-route.ts';

/** Response with one page of a list and the formatted number of all rows for the header `x-total-count`. */
export class Page<Body> {
  readonly body: Body;
  readonly total: string;

  constructor(body: Body, total: string) {
    this.body = body;
    this.total = total;
  }
}

export class TextBody {
  readonly mediaType: string;
  readonly text: string;

  constructor(mediaType: string, text: string) {
    this.mediaType = mediaType;
    this.text = text;
  }
}

export type Answered<Result> =
  Result extends Page<infer Body> ? Body : Result extends TextBody ? string : Result;

type Verb<Input, Result> = (tx: LogTransaction, author: Principal, input: Input) => Promise<Result>;
/**
 * Maps the input of a route to the input of its verb before the transaction starts, for example by hashing a
 * password.
 */
type Prepare<Given, Input> = (given: Given, author: Principal) => Input | Promise<Input>;
type InTenant<Given, Result> = Bound<SignedInContext, Given, Answered<Result>>;

interface BindInTenant {
  <Result>(verb: (tx: LogTransaction, author: Principal) => Promise<Result>): InTenant<unknown, Result>;
  <Given, Input, Result>(verb: Verb<Input, Result>, prepare: Prepare<Given, Input>): InTenant<Given, Result>;
}

/** Runs in one transaction of the caller's tenant. */
export const read: BindInTenant = bindInTenant;

/** Runs in the transaction for reports (`LogTransaction`). */
export const report: BindInTenant = <Given, Input, Result>(
  verb: Verb<Input, Result>,
  ...prepare: [prepare?: Prepare<Given, Input>]
): InTenant<Given, Result> =>
  bindInTenant((tx, author, input: Input) => verb(tx.reports, author, input), ...prepare);

/**
 * Runs the verb in one transaction of the caller's tenant. For idempotent routes, the same transaction also stores
 * the response.
 */
export const write: BindInTenant = bindInTenant;

function bindInTenant<Given, Input, Result>(
  verb: Verb<Input, Result>,
  prepare?: Prepare<Given, Input>,
): InTenant<Given, Result> {
  const handler = async (ctx: SignedInContext, given: Given) => {
    const { principal } = ctx;
    // safe because the overloads accept no verb with an input but without `prepare`
    const input = (await prepare?.(given, principal)) as Input;
    return answer(ctx, await ctx.inTenant((tx) => verb(tx, principal, input)));
  };
  return Object.assign(handler, { scope: 'tenant' as const });
}

/** Returns the response to the result of a verb, and sets the headers of the response. */
export function answer<Result>(
  { setHeader }: Pick<RequestContext, 'setHeader'>,
  result: Result,
): Answered<Result> {
  if (result instanceof Page) setHeader('x-total-count', result.total);
  if (result instanceof TextBody) setHeader('content-type', result.mediaType);
  const body: unknown =
    result instanceof Page ? result.body : result instanceof TextBody ? result.text : result;
  return body as Answered<Result>; // safe because the code mirrors the type `Answered`
}

/** Binds a handler that opens its own transactions, or none, for the given reason. */
export function outside<Ctx, Given, Result>(
  reason: OutsideReason,
  handler: (ctx: Ctx, given: Given) => Promise<Result>,
): Bound<Ctx, Given, Result> {
  return Object.assign((ctx: Ctx, given: Given) => handler(ctx, given), {
    scope: 'outside' as const,
    reason,
  });
}
