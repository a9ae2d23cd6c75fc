import type { CheckEndpointUrl } from '#console/llm-providers/endpoint.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Inventory } from './inventory.ts';
import type { Counts } from './report.ts';

export interface WriteDeps {
  readonly keyring: Keyring;
  readonly checkEndpointUrl: CheckEndpointUrl;
  /** Database time and time zone of the tenant. */
  readonly nowMs: number;
  readonly timeZone: string;
  note(text: string): void;
}

export interface Writing extends WriteDeps {
  readonly tx: TenantTransaction;
  readonly author: Author;
  readonly inventory: Inventory;
  readonly counts: Counts;
}
