import type { RouteRow, scimRoutes } from '@sluice/contract';
import type { Actor } from '#db/actor.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { RouteInput } from './console-route.ts';

export interface ScimClient {
  readonly tokenId: number;
  readonly tokenName: string;
  readonly tenantId: number;
  readonly canAssignRoles: boolean;
}

export interface ScimContext {
  readonly client: ScimClient;
  readonly baseUrl: string;
  /** Runs queries in the token's tenant. Changes are attributed to the token. */
  inTenant<Result>(work: (tx: TenantTransaction) => Promise<Result>): Promise<Result>;
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
}

export interface ScimAnswer {
  /** `null` for an empty response. */
  readonly body: object | null;
  /** Defaults to the status of the row. */
  readonly status?: 204 | 304;
  readonly version?: string;
  readonly location?: string;
}

type Handler<Row extends RouteRow> = (ctx: ScimContext, input: RouteInput<Row>) => Promise<ScimAnswer>;

/** Exactly one handler for each SCIM row of the contract. */
export type ScimHandlers = {
  readonly [Name in keyof typeof scimRoutes]: Handler<(typeof scimRoutes)[Name]>;
};

/** Rejected unknown tokens count against the address. */
export type AuthenticateScim = (token: string, source: Pick<Actor, 'address'>) => Promise<ScimClient>;
