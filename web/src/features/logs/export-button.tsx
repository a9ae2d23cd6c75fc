import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../../lib/load-part.ts';
import { useEverTrue } from '../../lib/use-ever-true.ts';
import { loadOverlays } from './load-overlays.ts';
import type { LogsSearch } from './search.ts';

const LogExportDialog = lazy(loadPart(async () => ({ default: (await loadOverlays()).LogExportDialog })));

/** Leads to a file of all requests that pass the filters. */
export function LogExportButton({ search }: { search: LogsSearch }) {
  const [isOpen, setOpen] = useState(false);
  const isOpened = useEverTrue(isOpen);
  return (
    <>
      <Button
        variant="default"
        aria-haspopup="dialog"
        leftSection={<Download size={14} strokeWidth={1.5} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Export CSV
      </Button>
      <Suspense>
        {isOpened && <LogExportDialog isOpen={isOpen} onClose={() => setOpen(false)} search={search} />}
      </Suspense>
    </>
  );
}
