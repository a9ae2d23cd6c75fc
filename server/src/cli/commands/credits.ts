import { bookTransactionBody } from '@sluice/contract';
import { bookCreditTransaction } from '#console/credits/book.ts';
import { type Command, numberOperand, operandOf, UsageError } from '../command.ts';
import { asOperator } from '../operator.ts';
import { requireTenantId } from '../store.ts';

export const grantCredits: Command = {
  name: 'credits grant',
  operands: ['TENANT', 'DOLLARS', 'REASON'],
  summary: 'Adds a bonus to the credits of the tenant with this slug',
  async run(call) {
    const { data, error } = bookTransactionBody.safeParse({
      transaction_type: 'bonus',
      amount: numberOperand(call, 'DOLLARS'),
      description: operandOf(call, 'REASON'),
    });
    if (!data) throw new UsageError(error.issues.map(({ message }) => message).join('\n'));
    const slug = operandOf(call, 'TENANT');
    const entry = await asOperator(call.config, async ({ system, asSystem }) => {
      const tenantId = await requireTenantId(system, slug);
      const author = { userId: null, tenantId, role: 'super_admin' } as const;
      return asSystem('bookCreditTransaction', (tx, requestId) =>
        bookCreditTransaction(tx, author, { source: `command/${requestId}`, body: data }),
      );
    });
    return { json: entry, text: `Added $${data.amount} to ${slug}; its balance is $${entry.balance_after}.` };
  },
};
