import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportButton } from '#components/data-table/export-button.tsx';
import { ChoiceFilter, FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import type { TenantAccount } from './queries.ts';
import type { BalanceFilter } from './search.ts';

interface TenantCreditsToolsProps {
  model: DataTableModel<TenantAccount>;
  balance: BalanceFilter | undefined;
  onBalance: (balance: BalanceFilter | undefined) => void;
}

const balances = [
  { value: 'low', label: 'Low Balance' },
  { value: 'zero', label: 'Zero Balance' },
] as const;

export function TenantCreditsTools({ model, balance, onBalance }: TenantCreditsToolsProps) {
  return (
    <ListTools
      search={<FilterField state={model.state} label="Search tenants" placeholder="Search tenants..." />}
      filters={
        <ChoiceFilter
          label="Balance"
          isLabelHidden
          everything="All Tenants"
          options={balances}
          value={balance}
          onChoose={(chosen) => onBalance(balances.find(({ value }) => value === chosen)?.value)}
        />
      }
      choices={
        <>
          <ColumnChooser model={model} />
          <ExportButton model={model} noun="tenant-credits" />
        </>
      }
    />
  );
}
