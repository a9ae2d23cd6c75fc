import { Button } from '@mantine/core';
import type { SimulatedPayment } from '@sluice/contract';
import { z } from 'zod';
import { Form } from '../../components/forms/form.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { DialogFooter } from '../../components/ui/dialog.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { formatUsd } from '../../lib/format-money.ts';
import { ProcessingPayment } from './processing-payment.tsx';
import { authenticateSimulated, paySimulated } from './queries.ts';
import { type CardOutcome, type PaymentOptions, usePayment } from './use-payment.ts';

const digits = (problem: string, pattern: RegExp) => z.string().trim().regex(pattern, problem);

const schema = z.object({
  number: digits('The card number has 13 to 19 digits', /^(\d ?){13,19}$/),
  expiry: digits('The expiry is a month and a year, such as 12 / 34', /^(0?[1-9]|1[0-2]) ?\/ ?\d{2}$/),
  cvc: digits('The CVC has 3 or 4 digits', /^\d{3,4}$/),
});

/** Card fields of a demonstration: they take the numbers that Stripe documents for tests. */
export function SimulatedCardForm(props: PaymentOptions) {
  const { clientSecret, amount } = props.payment;
  const { step, pay } = usePayment(props);
  const form = useContractForm({ schema, initialValues: { number: '', expiry: '', cvc: '' } });
  if (step === 'processing') return <ProcessingPayment />;
  if (step === 'approval')
    return (
      <ApprovalQuestion
        amount={amount}
        onAnswer={(isApproved) =>
          void pay(async () => toOutcome(await authenticateSimulated(clientSecret, isApproved)))
        }
      />
    );
  return (
    <Form
      form={form}
      submitLabel={`Pay ${formatUsd(amount)}`}
      pendingLabel="Processing payment..."
      isGuarded={false}
      onSubmit={({ number }) => pay(async () => toOutcome(await paySimulated(clientSecret, number)))}
    >
      <Notice kind="warn" title="This payment is simulated.">
        No card is charged. 4242 4242 4242 4242 succeeds, 4000 0000 0000 0002 is declined, 4000 0000 0000 9995
        lacks funds, 4000 0000 0000 3220 asks for 3-D Secure.
      </Notice>
      <TextField
        label="Card number"
        inputMode="numeric"
        placeholder="4242 4242 4242 4242"
        data-autofocus
        {...form.bind('number')}
      />
      <TextField label="Expiry" placeholder="MM / YY" {...form.bind('expiry')} />
      <TextField label="CVC" inputMode="numeric" placeholder="123" {...form.bind('cvc')} />
    </Form>
  );
}

function ApprovalQuestion({ amount, onAnswer }: { amount: number; onAnswer: (isApproved: boolean) => void }) {
  return (
    <>
      <Notice kind="warn" title="Your bank asks: is it you?">
        The simulated 3-D Secure question for {formatUsd(amount)}.
      </Notice>
      <DialogFooter>
        <Button variant="default" onClick={() => onAnswer(false)}>
          Decline
        </Button>
        <Button onClick={() => onAnswer(true)} data-autofocus>
          Authenticate
        </Button>
      </DialogFooter>
    </>
  );
}

function toOutcome({ status, error }: SimulatedPayment): CardOutcome {
  if (status === 'succeeded') return { kind: 'paid' };
  if (status === 'requires_action') return { kind: 'needsApproval' };
  return { kind: 'declined', message: error ?? 'Payment failed' };
}
