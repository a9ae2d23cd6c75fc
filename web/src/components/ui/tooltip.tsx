import { Tooltip as MantineTooltip, type TooltipProps } from '@mantine/core';
import { useEffect } from 'react';

export type TooltipLook = Pick<TooltipProps, 'position' | 'offset' | 'multiline' | 'maw' | 'w'>;

interface TargetTooltipProps extends TooltipLook {
  label: string;
  target: HTMLElement;
  isOpen: boolean;
  onClose: () => void;
}

/** A touch or click elsewhere closes the tooltip. */
export function Tooltip({ target, isOpen, onClose, ...look }: TargetTooltipProps) {
  useEffect(() => {
    if (!isOpen) return;
    const onPointerDown = (event: PointerEvent) => {
      if (!(event.target instanceof Node) || !target.contains(event.target)) onClose();
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  });
  return <MantineTooltip target={target} opened={isOpen} {...look} />;
}
