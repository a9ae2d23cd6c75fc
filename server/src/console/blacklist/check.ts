import type { blacklistCheck, checkBlacklistBody } from '@sluice/contract';
import type { z } from 'zod';
import { findBlock } from '#domain/access/block.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readBlocks } from './read-blocks.ts';

/** Uses the gateway's own matcher. */
export async function checkBlacklist(
  { principal, inTenant }: SignedInContext,
  { provider_key, model_name }: z.output<typeof checkBlacklistBody>,
): Promise<z.input<typeof blacklistCheck>> {
  const blocks = await inTenant((tx) => readBlocks(tx, principal.tenantId));
  const block = findBlock(blocks, provider_key, model_name, model_name);
  return { is_blacklisted: block !== undefined, provider_key, model_name, reason: block?.reason ?? null };
}
