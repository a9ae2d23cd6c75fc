import type { RouteRow, RouteTable } from '@sluice/contract';
import type { z } from 'zod';
import type { Actor } from '#db/actor.ts';
import type { LogTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import type { RunIdempotent } from '#idempotency/idempotency-key.ts';
import type { AskGateway } from './ask-gateway.ts';
import type { FixedAnswer } from './fixed-answer.ts';

/** Request context of every management handler. */
export interface RequestContext {
  readonly requestId: string;
  /** IP of the client. Only a proxy named in SLUICE_TRUSTED_PROXIES can change it by a header. */
  readonly address: string;
  readonly userAgent: string;
  /** Whether the client of a row with `eventStream` accepts events. */
  readonly wantsEvents: boolean;
  /** Actor for the audit log. `inTenant` passes it to the database; other transactions must set it. */
  readonly actor: Actor;
  /** Raw bearer token of the Authorization header, not validated. */
  readonly bearerToken: string | null;
  /** Returns the caller, including on public rows; `null` if not signed in. */
  findCaller(): Promise<Principal | null>;
  setHeader(name: string, value: string): void;
  /** Returns a request header, in lower case; `null` if it is missing. */
  readHeader(name: string): string | null;
}

/** A request with a principal; `inTenant` runs queries as the principal's tenant. */
export interface SignedInContext extends RequestContext {
  readonly principal: Principal;
  inTenant<Result>(work: (tx: LogTransaction) => Promise<Result>): Promise<Result>;
  /** Sends a request to the gateway as this user; it may outlive the call. */
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

/** A signed body and its signature as received; a missing signature is empty. */
export interface SignedBody {
  readonly bytes: Buffer;
  readonly signature: string;
}

/** A row's validated input; parts that the row does not declare are `undefined`. */
export interface RouteInput<Row extends RouteRow> {
  params: Parsed<Row, 'params'>;
  query: Parsed<Row, 'query'>;
  body: Row extends { signatureHeader: string } ? SignedBody : Parsed<Row, 'body'>;
  form: Parsed<Row, 'form'>;
}

/** A file that is streamed at the client's speed. */
export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  /** Iteration stops early if the client disconnects. */
  readonly text: AsyncIterable<string>;
}

/** A response streamed as events; ends early if the client disconnects. */
export class EventStream {
  readonly events: AsyncIterable<{ readonly event: string; readonly data: object }>;

  constructor(events: EventStream['events']) {
    this.events = events;
  }
}

/** A file in place of the JSON response of a row with `offersFile`. */
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

/**
 * Scope of a row's transaction, opened by its adapter in the caller's tenant or across tenants; `outside` if the
 * handler opens its own.
 */
export type Scope = 'tenant' | 'across tenants' | 'outside';

/** Handler of a row, bound to the scope of its transaction. */
export type Bound<Ctx, Given, Result> = ((ctx: Ctx, given: Given) => Promise<Result>) & {
  readonly scope: Scope;
  /** Why the handler opens its own transactions; only for the scope `outside`. */
  readonly reason?: OutsideReason;
};

/** Why a handler opens its own transactions, or none. */
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
