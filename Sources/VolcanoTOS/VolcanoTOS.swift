// VolcanoTOS
