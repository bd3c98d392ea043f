import { type ModelMarks, marksOf } from './model-marks.ts';
import type { ProviderModel } from './provider.ts';

/** A model with what is known about it. */
export type ListedModel = ProviderModel & ModelMarks;

export const withMarks = (models: readonly ProviderModel[]): readonly ListedModel[] =>
  models.map(({ window, ...model }) => ({ ...model, ...marksOf(model.model), ...(window === undefined ? {} : { context: window }) }));
