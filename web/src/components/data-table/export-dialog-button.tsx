import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useEverTrue } from '../../lib/use-ever-true.ts';
import type { ServerExport } from './server-export.ts';

const ExportDialog = lazyPart(() => import('./export-dialog.tsx'), 'ExportDialog');

/** Leads to a file of all rows on the server that pass the filters. */
export function ExportDialogButton({ content }: { content: ServerExport }) {
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
      {isOpened && <ExportDialog isOpen={isOpen} onClose={() => setOpen(false)} content={content} />}
    </>
  );
}
