/** A time zone as people say it: "Buenos Aires time", "UTC". */
export const zoneText = (zone: string): string =>
  zone.includes("/") ? `${zone.split("/").at(-1)?.replaceAll("_", " ")} time` : zone;
