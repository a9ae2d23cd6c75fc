import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../components/ui/icon-button.tsx';
import type { OwnModel } from '../../lib/own-models.ts';
import { imageFilesHint } from './image-files.ts';
import { textFilesHint } from './text-files.ts';
import { noPictures } from './use-draft.ts';

interface AttachButtonProps {
  model: OwnModel | undefined;
  isBusy: boolean;
  onFiles: (files: readonly File[]) => Promise<void>;
}

/** Button to attach files. Its title names the accepted kinds, and why pictures are not accepted. */
export function AttachButton({ model, isBusy, onFiles }: AttachButtonProps) {
  const files = useRef<HTMLInputElement>(null);
  const takesImages = model?.takesImages ?? false;
  const pictures = takesImages || !model ? imageFilesHint : `no pictures, since ${noPictures(model)}`;
  const hint = `${textFilesHint}; ${pictures}`;
  const attach = async (list: FileList | null) => {
    await onFiles([...(list ?? [])]);
    if (files.current) files.current.value = '';
  };
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept={`text/*,.md,.json,.csv,.ts,.py${takesImages ? ',image/*' : ''}`}
        onChange={(event) => void attach(event.currentTarget.files)}
      />
      <IconButton
        label={`Attach files: ${hint}`}
        title={hint}
        icon={Paperclip}
        disabled={isBusy}
        onClick={() => files.current?.click()}
      />
    </>
  );
}
