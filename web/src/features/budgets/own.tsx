import { Button } from '@mantine/core';
import { type Budget, raiseBudgetBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { NumberField } from '#components/forms/number-field.tsx';
import { DayField, TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatWithMeasure } from '#lib/format-money.ts';
import { formatShortTime } from '#lib/format-time.ts';
import { dayFromNow, lastDay } from './change-forms.tsx';
import {
  describeLimit,
  limitField,
  ownBudgetsQuery,
  ownRaiseRequestsQuery,
  requestMarks,
  subjectOf,
  useRequestRaise,
} from './queries.ts';
import styles from './use.module.css';
import { BudgetUse } from './use.tsx';

/** User and key budgets show their latest request for a higher limit. */
export function OwnBudgets() {
  const answer = useQuery(ownBudgetsQuery);
  const [asked, setAsked] = useState<Budget | null>(null);
  const [isOpen, setOpen] = useState(false);
  const failure = describeFailure(answer, 'Your budgets could not be loaded');
  if (failure) return <Failure {...failure} />;
  if (!answer.data || answer.data.length === 0) return null;
  const close = () => setOpen(false);
  return (
    <section aria-label="Budgets" className={styles.section}>
      <h3>Budgets</h3>
      <ul className={styles.list}>
        {answer.data.map((budget) => (
          <BudgetUse key={budget.id} budget={budget}>
            <RaiseState
              budget={budget}
              onRequest={() => {
                setAsked(budget);
                setOpen(true);
              }}
            />
          </BudgetUse>
        ))}
      </ul>
      {asked && (
        <Dialog isOpen={isOpen} onClose={close} title="Request a higher limit">
          <RequestForm key={asked.id} budget={asked} onSaved={close} />
        </Dialog>
      )}
    </section>
  );
}

/** State of the latest request for a higher limit, and the button that opens a new request. */
function RaiseState({ budget, onRequest }: { budget: Budget; onRequest: () => void }) {
  const { data: requests } = useQuery(ownRaiseRequestsQuery);
  if (budget.action === 'warn' || budget.subject_type === 'team' || !requests) return null;
  const latest = requests.find((request) => request.budget.id === budget.id);
  const mark = latest && requestMarks[latest.status];
  return (
    <div className={styles.raise}>
      {latest && mark && (
        <StatusMark kind={mark.kind}>
          {`Requested a limit of ${formatWithMeasure(budget, latest.limit)} until ${formatShortTime(latest.until)}: ${mark.word.toLowerCase()}`}
          {latest.note !== null && `. ${latest.note}`}
        </StatusMark>
      )}
      {latest?.status !== 'open' && (
        <Button variant="default" onClick={onRequest}>
          Request a higher limit
        </Button>
      )}
    </div>
  );
}

/** The user enters `until` as the last day. */
const requestForm = z.object({
  limit: raiseBudgetBody.shape.limit,
  until: lastDay,
  reason: raiseBudgetBody.shape.reason,
});

function RequestForm({ budget, onSaved }: { budget: Budget; onSaved: () => void }) {
  const { mutateAsync } = useRequestRaise();
  const form = useContractForm({
    schema: requestForm,
    initialValues: { limit: '', until: dayFromNow(7), reason: '' },
  });
  return (
    <Form
      form={form}
      submitLabel="Send request"
      pendingLabel="Sending..."
      fallbackProblem="The request could not be sent"
      onSubmit={async (body) => {
        await mutateAsync({ body: { ...body, budget_id: budget.id } });
        showSuccess('Request sent to your administrators');
        onSaved();
      }}
    >
      <p>
        {subjectOf(budget)}: {describeLimit(budget)}. An administrator decides on your request. The decision
        appears here.
      </p>
      <NumberField
        label="Limit"
        emptyMeans="absent"
        {...limitField(budget)}
        data-autofocus
        {...form.bind('limit')}
      />
      <DayField label="Last day" min={dayFromNow(0)} {...form.bind('until')} />
      <TextField label="Reason" {...form.bind('reason')} />
    </Form>
  );
}
