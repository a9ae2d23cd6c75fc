import { grantUserAccessBody } from '@sluice/contract';
import { grantUserAccess } from '#console/provider-access/grant.ts';
import { type Command, operandOf, textOption } from '../command.ts';
import { asOperator } from '../operator.ts';
import { parseBody, splitList } from '../parse-body.ts';
import { selectInstances } from '../store.ts';

export const grantProvider: Command = {
  name: 'providers grant',
  operands: ['ID', 'EMAIL'],
  summary: 'Lets a user use models of a provider instance',
  options: {
    models: { value: 'LIST', summary: 'some of its models; all that it enables unless given' },
  },
  async run(call) {
    const email = operandOf(call, 'EMAIL');
    const access = await asOperator(call.config, async ({ system, requirePerson, contextOf }) => {
      const { id: userId, tenantId } = await requirePerson(email);
      const instances = await selectInstances(system, undefined);
      const instance = instances.find(
        ({ id, tenant_id }) => String(id) === operandOf(call, 'ID') && tenant_id === tenantId,
      );
      if (!instance)
        throw new Error(`The tenant of ${email} has no provider instance ${operandOf(call, 'ID')}.`);
      const models = textOption(call, 'models');
      const body = parseBody(grantUserAccessBody, {
        user_id: userId,
        llm_provider_id: instance.id,
        allowed_models: models === undefined ? instance.enabled_models : splitList(models),
      });
      return grantUserAccess(contextOf(tenantId, 'grantUserAccess'), body);
    });
    return { json: access, text: `${email} may use ${access.allowed_models.join(', ')}.` };
  },
};
