import React, { type PropsWithChildren, type ReactElement, useId } from 'react';

import { Field, Label } from '@grafana/ui';

interface Props {
  label: string;
  description?: string;
  problem?: string;
  /** Draws the control. Some of Grafana's controls are named by id, others only by the id of their label. */
  children: (ids: { id: string; labelId: string }) => ReactElement;
}

/** A control of the query editor with its label and what is wrong with it. */
export function Labeled({ label, description, problem, children }: Props) {
  const id = useId();
  const labelId = `${id}-label`;
  return (
    <Field
      noMargin
      invalid={Boolean(problem)}
      error={problem}
      label={
        <Label id={labelId} htmlFor={id} description={description}>
          {label}
        </Label>
      }
    >
      <Content>{children({ id, labelId })}</Content>
    </Field>
  );
}

/** Field hands its child properties that only Grafana's own controls understand; here they end. */
function Content({ children }: PropsWithChildren) {
  return <>{children}</>;
}
