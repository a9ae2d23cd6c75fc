import type { grantUserAccessBody, UserAccess } from '@sluice/contract';
import type { z } from 'zod';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findInstance, findUserName, insertGrant } from './store.ts';

/** Lets a user use some of the models that an instance enables. */
export async function grantUserAccess(
  ctx: SignedInContext,
  body: z.output<typeof grantUserAccessBody>,
): Promise<UserAccess> {
  const { tenantId } = ctx.principal;
  const allowedModels = [...new Set(body.allowed_models)];
  return ctx.inTenant(async (tx) => {
    const userName = await findUserName(tx, tenantId, body.user_id);
    if (userName === undefined) throw notFound('User');
    const instance = await findInstance(tx, tenantId, body.llm_provider_id);
    if (!instance) throw notFound('Provider');
    const unknown = allowedModels.filter((model) => !instance.enabledModels.includes(model));
    if (unknown.length > 0) {
      throw invalidField('allowed_models', `Not enabled on this provider: ${unknown.join(', ')}`);
    }
    const createdAt = await insertGrant(tx, {
      tenantId,
      userId: body.user_id,
      llmProviderId: body.llm_provider_id,
      allowedModels,
      createdBy: ctx.principal.userId,
    });
    if (!createdAt) throw new ConsoleError(409, 'This user already has access to this provider');
    return {
      user_id: body.user_id,
      user_name: userName,
      provider_key: instance.providerKey,
      provider_instance_name: instance.name,
      llm_provider_id: body.llm_provider_id,
      provider_registry_id: instance.registryId,
      allowed_models: allowedModels,
      created_at: createdAt.toISOString(),
    };
  });
}
