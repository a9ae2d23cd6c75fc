import { newIdempotencyKey, paymentAmount } from '@sluice/contract';
import { useState } from 'react';
import { z } from 'zod';
import { Form } from '../../components/forms/form.tsx';
import { NumberField } from '../../components/forms/number-field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { useCreatePayment } from './queries.ts';
import type { PendingPayment } from './use-payment.ts';

interface AmountFormProps {
  tenantId: number | undefined;
  /** Why the previous payment failed, or `null`. */
  problem: string | null;
  onCreated: (payment: PendingPayment) => void;
}

const schema = z.object({ amount: paymentAmount, description: z.string().trim().max(500) });

/** Form for amount and description. */
export function AmountForm({ tenantId, problem, onCreated }: AmountFormProps) {
  const create = useCreatePayment();
  // A second click, or a retry after a lost response, starts one payment only.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const form = useContractForm({ schema, initialValues: { amount: '' as number | '', description: '' } });
  return (
    <Form
      form={form}
      submitLabel="Continue to Payment"
      pendingLabel="Creating payment..."
      fallbackProblem="Failed to create payment"
      onSubmit={async ({ amount, description }) => {
        const key = `${idempotencyKey}-${amount}-${description}`.slice(0, 200).replace(/[^\x21-\x7e]/g, '_');
        const intent = await create.mutateAsync({ tenantId, amount, description, idempotencyKey: key });
        onCreated({
          intentId: intent.payment_intent_id,
          clientSecret: intent.client_secret,
          amount: intent.amount,
        });
      }}
    >
      {problem !== null && (
        <div role="alert">
          <StatusMark kind="bad">{problem}</StatusMark>
        </div>
      )}
      <NumberField
        label="Amount"
        description="US dollars, from $0.01 to $10,000"
        emptyMeans="absent"
        leftSection="$"
        allowDecimal
        decimalScale={2}
        min={0.01}
        max={10_000}
        step={0.01}
        clampBehavior="none"
        data-autofocus
        {...form.bind('amount')}
      />
      <TextField label="Description" placeholder="Optional" {...form.bind('description')} />
    </Form>
  );
}
