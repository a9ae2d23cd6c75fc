import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { Form } from '../forms/form.tsx';
import { TextField } from '../forms/text-field.tsx';
import { useContractForm } from '../forms/use-contract-form.ts';
import { DialogFooter } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

interface SimulatedApprovalProps {
  /** Amount or purpose that the cardholder approves, for example `$12.50`. */
  subject: ReactNode;
  onAnswer: (isApproved: boolean) => void;
}

export function SimulatedApproval({ subject, onAnswer }: SimulatedApprovalProps) {
  return (
    <>
      <Notice kind="warn" title="Your bank asks you to confirm this payment">
        The simulated 3-D Secure question for {subject}.
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

const digits = (problem: string, pattern: RegExp) => z.string().trim().regex(pattern, problem);

const schema = z.object({
  number: digits('Enter a card number with 13 to 19 digits', /^(\d ?){13,19}$/),
  expiry: digits('Enter the expiry as month and year, such as 12 / 34', /^(0?[1-9]|1[0-2]) ?\/ ?\d{2}$/),
  cvc: digits('Enter a CVC with 3 or 4 digits', /^\d{3,4}$/),
});

interface SimulatedCardFieldsProps {
  submitLabel: string;
  onSubmit: (cardNumber: string) => Promise<unknown>;
  /** Shown above the card fields, for example to explain why the previous card was declined. */
  children?: ReactNode;
}

/** Accepts the card numbers that Stripe documents for tests. */
export function SimulatedCardFields({ submitLabel, onSubmit, children }: SimulatedCardFieldsProps) {
  const form = useContractForm({ schema, initialValues: { number: '', expiry: '', cvc: '' } });
  return (
    <Form
      form={form}
      submitLabel={submitLabel}
      pendingLabel="Processing payment..."
      isGuarded={false}
      onSubmit={({ number }) => onSubmit(number)}
    >
      {children}
      <Notice kind="warn" title="This payment is simulated.">
        No card is charged. 4242 4242 4242 4242 succeeds, 4000 0000 0000 0002 is declined, 4000 0000 0000 9995
        has insufficient funds, 4000 0000 0000 3220 requires 3-D Secure.
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
