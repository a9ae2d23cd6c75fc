import { createTaskAssignmentBody, createTaskBody } from '@sluice/contract';
import { createTaskAssignment } from '#console/tasks/assignments.ts';
import { createTask as createTaskOfTenant } from '#console/tasks/change.ts';
import { type Command, idOperand, operandOf, parseBody, textOption } from '../command.ts';
import { asOperator } from '../operator.ts';
import { requireTenantId } from '../store.ts';

export const createTask: Command = {
  name: 'tasks create',
  operands: ['TITLE'],
  summary: 'Creates a task, which users need for their requests',
  options: {
    description: { value: 'TEXT', summary: 'description; default: the title' },
    assign: { value: 'EMAIL', summary: 'assigns it to this user and creates it in the tenant of the user' },
    tenant: { value: 'SLUG', summary: 'tenant of the new object; required if there are several tenants' },
  },
  async run(call) {
    const title = operandOf(call, 'TITLE');
    const body = parseBody(createTaskBody, { title, description: textOption(call, 'description') ?? title });
    const email = textOption(call, 'assign');
    const task = await asOperator(call.config, async ({ system, requirePerson, contextOf }) => {
      const person = email === undefined ? null : await requirePerson(email);
      const tenantId = person?.tenantId ?? (await requireTenantId(system, textOption(call, 'tenant')));
      const created = await createTaskOfTenant(contextOf(tenantId, 'createTask'), body);
      if (person) await assign(contextOf(tenantId, 'createTaskAssignment'), created.id, person.id);
      return created;
    });
    const assigned = email === undefined ? '' : ` and assigned it to ${email}`;
    return { json: task, text: `Created the task ${task.id}, "${task.title}"${assigned}.` };
  },
};

export const assignTask: Command = {
  name: 'tasks assign',
  operands: ['ID', 'EMAIL'],
  summary: 'Assigns a task to a user',
  async run(call) {
    const email = operandOf(call, 'EMAIL');
    const taskId = idOperand(call, 'ID');
    const assignment = await asOperator(call.config, async ({ requirePerson, contextOf }) => {
      const { id, tenantId } = await requirePerson(email);
      return assign(contextOf(tenantId, 'createTaskAssignment'), taskId, id);
    });
    return { json: assignment, text: `Assigned the task ${taskId} to ${email}.` };
  },
};

function assign(context: Parameters<typeof createTaskAssignment>[0], taskId: number, userId: number) {
  return createTaskAssignment(
    context,
    parseBody(createTaskAssignmentBody, { task_id: taskId, user_id: userId }),
  );
}
