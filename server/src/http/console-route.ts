import type { RouteRow, RouteTable } from '@sluice/contract';
import type { z } from 'zod';
import type { Actor } from '#db/actor.ts';
import type { LogTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import type { RunIdempotent } from '#idempotency/idempotency-key.ts';
import type { AskGateway } from './ask-gateway.ts';
import type { FixedAnswer } from './fixed-answer.ts';

export interface RequestContext {
  readonly requestId: string;
  /** IP of the client. Only a proxy in SLUICE_TRUSTED_PROXIES can change the IP by a header. */
  readonly address: string;
  readonly userAgent: string;
  /** Whether the client of an `eventStream` row accepts events. */
  readonly wantsEvents: boolean;
  /**
   * Actor for the audit log. `inTenant` sets the actor in the database; handlers must set it in all other
   * transactions.
   */
  readonly actor: Actor;
  /** Bearer token of the Authorization header, without validation. */
  readonly bearerToken: string | null;
  /** Returns the caller, also on public rows; `null` if the caller is not signed in. */
  findCaller(): Promise<Principal | null>;
  setHeader(name: string, value: string): void;
  /** Returns a request header by its lowercase name; `null` if the header is missing. */
  readHeader(name: string): string | null;
}

/** Context of a request with a principal. `inTenant` runs queries in the principal's tenant. */
export interface SignedInContext extends RequestContext {
  readonly principal: Principal;
  inTenant<Result>(work: (tx: LogTransaction) => Promise<Result>): Promise<Result>;
  /** Sends a request to the gateway as this user. The request may outlive the call. */
  readonly askGateway: AskGateway;
}

/**
 * Context of an `idempotent` row. The handler must have all effects in its first `inTenant` transaction, whose result
 * is stored for replays. Handlers with effects outside the tenant use `runIdempotent`.
 */
export interface IdempotentContext extends SignedInContext, WithIdempotency {
  /** Runs tenant queries without effects before the idempotent transaction. */
  readonly readInTenant: SignedInContext['inTenant'];
}

export interface WithIdempotency {
  readonly runIdempotent: RunIdempotent;
}

type Context<Row extends RouteRow> = Row['permission'] extends 'anyone'
  ? RequestContext & (Row extends { idempotent: true } ? WithIdempotency : unknown)
  : Row extends { idempotent: true }
    ? IdempotentContext
    : SignedInContext;

type Parsed<Row extends RouteRow, Name extends keyof NonNullable<Row['request']>> = Row extends {
  request: { [Key in Name]: infer Schema extends z.ZodType };
}
  ? z.output<Schema>
  : undefined;

/** Signed body and its signature as received. A missing signature is empty. */
export interface SignedBody {
  readonly bytes: Buffer;
  readonly signature: string;
}

/** Validated input of a row. Parts that the row does not declare are `undefined`. */
export interface RouteInput<Row extends RouteRow> {
  params: Parsed<Row, 'params'>;
  query: Parsed<Row, 'query'>;
  body: Row extends { signatureHeader: string } ? SignedBody : Parsed<Row, 'body'>;
  form: Parsed<Row, 'form'>;
}

/** File that is streamed at the client's speed. */
export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  /** Iteration stops early if the client disconnects. */
  readonly text: AsyncIterable<string>;
}

/** Response that is streamed as events. The iteration stops early if the client disconnects. */
export class EventStream {
  readonly events: AsyncIterable<{ readonly event: string; readonly data: object }>;

  constructor(events: EventStream['events']) {
    this.events = events;
  }
}

/** File instead of the JSON response of an `offersFile` row. */
export class FileAnswer {
  readonly file: Download;

  constructor(file: Download) {
    this.file = file;
  }
}

type Answer<Row extends RouteRow> = Row extends { isFixed: true }
  ? FixedAnswer
  : Row extends { download: object }
    ? Download
    :
        | z.input<Row['response']>
        | (Row extends { eventStream: true } ? EventStream : never)
        | (Row extends { offersFile: object } ? FileAnswer : never);

/** Scope of a row's transaction: `tenant` and `across tenants` are opened by the adapter, `outside` by the handler. */
export type Scope = 'tenant' | 'across tenants' | 'outside';

/** Handler of a row, bound to the scope of its transaction. */
export type Bound<Ctx, Given, Result> = ((ctx: Ctx, given: Given) => Promise<Result>) & {
  readonly scope: Scope;
  /** Reason why the handler opens its own transactions. Only for the scope `outside`. */
  readonly reason?: OutsideReason;
};

/** Reason why a handler opens its own transactions, or none. */
export type OutsideReason =
  | 'asks a provider'
  | 'asks an identity provider'
  | 'changes each item alone'
  | 'counts attempts'
  | 'needs no transaction'
  | 'renews the session'
  | 'runs in the background'
  | 'spans two scopes'
  | 'streams a file';

type Handler<Row extends RouteRow> = Bound<Context<Row>, RouteInput<Row>, Answer<Row>>;

/** Exactly one handler for each row of a noun. */
export type Handlers<Routes extends RouteTable> = { readonly [Name in keyof Routes]: Handler<Routes[Name]> };
