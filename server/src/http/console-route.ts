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
  /** Only a proxy in SLUICE_TRUSTED_PROXIES can change the IP by a header. */
  readonly address: string;
  readonly userAgent: string;
  /** Whether the client of an `eventStream` row accepts events. */
  readonly wantsEvents: boolean;
  /**
   * Actor for the audit log. `inTenant` sets the actor in the database; handlers must set it in all other
   * transactions.
   */
  readonly actor: Actor;
  /** The token is not validated. */
  readonly bearerToken: string | null;
  /**
   * Returns the caller, also on public rows; `null` if the caller is not signed in or has to set up a second factor.
   */
  findCaller(): Promise<Principal | null>;
  setHeader(name: string, value: string): void;
  /** Returns a request header by its lowercase name; `null` if the header is missing. */
  readHeader(name: string): string | null;
}

/** `inTenant` runs queries in the principal's tenant. */
export interface SignedInContext extends RequestContext {
  readonly principal: Principal;
  inTenant<Result>(work: (tx: LogTransaction) => Promise<Result>): Promise<Result>;
  readonly askGateway: AskGateway;
}

/**
 * The handler must have all effects in its first `inTenant` transaction, whose result is stored for replays. Handlers
 * with effects outside the tenant use `runIdempotent`.
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

/** A missing signature is empty. */
export interface SignedBody {
  readonly bytes: Buffer;
  readonly signature: string;
}

/** Parts that the row does not declare are `undefined`. */
export interface RouteInput<Row extends RouteRow> {
  params: Parsed<Row, 'params'>;
  query: Parsed<Row, 'query'>;
  body: Row extends { signatureHeader: string } ? SignedBody : Parsed<Row, 'body'>;
  form: Parsed<Row, 'form'>;
}

export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  /** Iteration stops early if the client disconnects. */
  readonly text: AsyncIterable<string>;
}

/** The iteration stops early if the client disconnects. */
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

/** `tenant` and `across tenants` transactions are opened by the adapter, `outside` by the handler. */
export type Scope = 'tenant' | 'across tenants' | 'outside';

export type Bound<Ctx, Given, Result> = ((ctx: Ctx, given: Given) => Promise<Result>) & {
  readonly scope: Scope;
  readonly reason?: OutsideReason;
};

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
