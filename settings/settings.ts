import description from './settings.json';

/** The description of each setting, by its name: its English label, its default, and its bounds. */
export const described = description.settings;
