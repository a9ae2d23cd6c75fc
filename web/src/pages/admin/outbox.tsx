import { tableSearch } from '../../components/data-table/table-search.ts';
import { useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { OutboxList } from '../../features/outbox/list.tsx';

export function OutboxPage() {
  const state = useTableState(tableSearch);
  return (
    <>
      <PageHeader
        title="Outbox"
        subtitle="Mails to the users of this tenant, and links to forward when no mail server is set up"
      />
      <OutboxList state={state} />
    </>
  );
}
