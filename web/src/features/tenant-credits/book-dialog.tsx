import { bookTransactionBody } from '@sluice/contract';
import { Form } from '#components/forms/form.tsx';
import { NumberField } from '#components/forms/number-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { formatUsd, formatUsdExact } from '#lib/format-money.ts';
import { type TenantAccount, useBookTransaction } from './queries.ts';

interface BookDialogProps {
  account: TenantAccount;
  tenantId: number | undefined;
  isOpen: boolean;
  onClose: () => void;
}

const types = [
  { value: 'bonus', label: 'Bonus: adds to the credits' },
  { value: 'penalty', label: 'Penalty: deducts from the credits' },
  { value: 'adjustment', label: 'Adjustment: adds, or deducts if negative' },
];

export function BookDialog({ account, isOpen, onClose, tenantId }: BookDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Adjust the credits of ${account.name}`}>
      <BookForm account={account} tenantId={tenantId} onClose={onClose} />
    </Dialog>
  );
}

function BookForm({ account, tenantId, onClose }: Omit<BookDialogProps, 'isOpen'>) {
  const book = useBookTransaction(tenantId);
  const form = useContractForm({
    schema: bookTransactionBody,
    initialValues: { transaction_type: 'bonus', amount: '' as number | '', description: '' },
  });
  return (
    <Form
      form={form}
      submitLabel="Adjust credits"
      pendingLabel="Adjusting..."
      fallbackProblem="The transaction could not be booked"
      onSubmit={async (body) => {
        const { amount, balance_after } = await book.mutateAsync(body);
        showSuccess(`Booked ${formatUsd(amount)}. The balance is ${formatUsdExact(balance_after, 4)}.`);
        onClose();
      }}
    >
      <p className="num quiet">Current balance: {formatUsdExact(account.current_balance, 4)}</p>
      <SelectField label="Type" options={types} {...form.bind('transaction_type')} />
      <NumberField label="Amount" isMoney min={-1_000_000} emptyMeans="absent" {...form.bind('amount')} />
      <TextField
        label="Reason"
        description="Administrators of the tenant see it in their history"
        {...form.bind('description')}
      />
    </Form>
  );
}
