import type { RouteRow, RouteTable } from '@sluice/contract';
import type { z } from 'zod';
import type { Actor } from '#db/actor.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author, Principal } from '#domain/principal.ts';
import type { Once } from '#idempotency/once.ts';
import type { AskGate } from './ask-gate.ts';
import type { FixedAnswer } from './fixed-answer.ts';

/** What every handler of the management surface knows of its request. */
export interface RequestContext {
  readonly requestId: string;
  /** Caller's address. Only a proxy named in SLUICE_TRUSTED_PROXIES can change it by a header. */
  readonly address: string;
  readonly userAgent: string;
  /** Whether the caller of a row with `eventStream` wants events. */
  readonly wantsEvents: boolean;
  /** Whom the audit log names; `inTenant` tells the database by itself, other transactions have to. */
  readonly actor: Actor;
  /** What stands in the Authorization header, whatever it is. */
  readonly bearerToken: string | null;
  /** Who calls, also on rows that anyone may call; `null` for a stranger. */
  findCaller(): Promise<Principal | null>;
  setHeader(name: string, value: string): void;
}

/** What a verb needs of its caller where the operator of the server may call it too, at the command line. */
export interface AuthorContext {
  readonly principal: Author;
  inTenant<Result>(work: (tx: TenantTransaction) => Promise<Result>): Promise<Result>;
}

/** A request with a principal; `inTenant` runs queries as the principal's tenant. */
export interface SignedInContext extends RequestContext {
  readonly principal: Principal;
  inTenant<Result>(work: (tx: TenantTransaction) => Promise<Result>): Promise<Result>;
  /** Sends a request to the gate as this person; it may outlive the call. */
  readonly askGate: AskGate;
}

/**
 * A request of a row that is `idempotent`: its handler has all its effects in one transaction. That is its first one as the
 * tenant, whose result is kept as it would be answered; one that is not the tenant's has them within `once`.
 */
export interface OnceContext extends SignedInContext, WithOnce {
  /** For what is looked up before: it runs queries as the tenant that have no effect. */
  readonly readInTenant: SignedInContext['inTenant'];
}

export interface WithOnce {
  readonly once: Once;
}

type Context<Row extends RouteRow> = Row['permission'] extends 'anyone'
  ? RequestContext & (Row extends { idempotent: true } ? WithOnce : unknown)
  : Row extends { idempotent: true }
    ? OnceContext
    : SignedInContext;

type Parsed<Row extends RouteRow, Name extends keyof NonNullable<Row['request']>> = Row extends {
  request: { [Key in Name]: infer Schema extends z.ZodType };
}
  ? z.output<Schema>
  : undefined;

/** A body that its sender has signed, both as they came; no signature is an empty one. */
export interface SignedBody {
  readonly bytes: Buffer;
  readonly signature: string;
}

/** A row's input after validation; a part the row does not declare is `undefined`. */
export interface RouteInput<Row extends RouteRow> {
  params: Parsed<Row, 'params'>;
  query: Parsed<Row, 'query'>;
  body: Row extends { signatureHeader: string } ? SignedBody : Parsed<Row, 'body'>;
  form: Parsed<Row, 'form'>;
}

/** A file that is sent while it is made: who takes it slowly has it made slowly. */
export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  /** Ended early when the caller goes away. */
  readonly text: AsyncIterable<string>;
}

/** An answer that is told while it comes; it ends early when the caller goes away. */
export class EventStream {
  readonly events: AsyncIterable<{ readonly event: string; readonly data: object }>;

  constructor(events: EventStream['events']) {
    this.events = events;
  }
}

type Answer<Row extends RouteRow> = Row extends { isFixed: true }
  ? FixedAnswer
  : Row extends { download: object }
    ? Download
    : z.input<Row['response']> | (Row extends { eventStream: true } ? EventStream : never);

type Handler<Row extends RouteRow> = (ctx: Context<Row>, input: RouteInput<Row>) => Promise<Answer<Row>>;

/** One handler for each row of a noun, no more and no fewer. */
export type Handlers<Routes extends RouteTable> = { readonly [Name in keyof Routes]: Handler<Routes[Name]> };
